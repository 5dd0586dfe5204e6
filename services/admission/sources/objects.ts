import type { ApiObject } from '@binnacle/api-objects';
import { objectKey, type ResourceDefinition, type TypeRegistry } from '@binnacle/api-types';
import { decodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { createCallContext, withDeadline } from '@binnacle/rpc';
import { serviceUnavailable } from '@binnacle/status-errors';
import {
  findStorageKey,
  listPages,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import type { TypeCache, WatchCache } from '@binnacle/watch-cache';
import { readStore, readTypeRevision } from './read-store.ts';

/** The names of a type. */
export interface TypeName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** An object at one revision, parsed on demand. */
export interface SeenObject {
  readonly key: StorageKey;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  /** Parses the object; the result belongs to the caller. */
  parse(): ApiObject;
  /** Returns the result of `compute`; for a cached object it is computed once and kept under `slot`. */
  derived<T>(slot: symbol, compute: (object: SeenObject) => T): T;
}

/** The objects of one type. */
export interface ObjectReader {
  readonly definition: ResourceDefinition;
  /**
   * Finds an object in the cache, or else in the store. Before a write is refused because of the result, it must be confirmed
   * with `findCurrent`.
   */
  find(namespace: string, name: string, call: CallContext): Promise<SeenObject | undefined>;
  /** Reads an object from the store. */
  findCurrent(namespace: string, name: string, call: CallContext): Promise<SeenObject | undefined>;
  /**
   * Lists the objects of a namespace, '' for all namespaces, with every write that was acknowledged before the call: from the
   * cache where it reaches that state in time, else from the store.
   */
  list(namespace: string, call: CallContext): Promise<readonly SeenObject[]>;
  /** Reads the objects of a namespace from the store. */
  listCurrent(namespace: string, call: CallContext): Promise<readonly SeenObject[]>;
}

/** Source of objects of any type. */
export interface ObjectSource {
  /** Returns the reader of a type; throws when there is no such type. */
  reader(name: TypeName): ObjectReader;
  /** Returns the cache of a type that the plugin declares in `reads`; throws TypeNotHeld for others. */
  cache(name: TypeName): TypeCache;
  /**
   * Resolves once all objects that plugins read are in the cache; throws ServiceUnavailable when the call ends first. Returns
   * undefined when they are there already.
   */
  ready(call: CallContext): Promise<void> | undefined;
}

/** Options of reading objects. */
interface ObjectSourceOptions {
  readonly registry: TypeRegistry;
  readonly watchCache: WatchCache;
  readonly storage: Pick<Storage, 'get' | 'list' | 'typeRevision'>;
}

/** How long a list waits for the cache before it goes to the store. */
const timeoutMs = 1_000;

/** Creates a source on a cache, for the types that it holds, and the store behind it. */
export function createObjectSource({ registry, watchCache, storage }: ObjectSourceOptions): ObjectSource {
  const getDefinition = ({ group, version, resource }: TypeName): ResourceDefinition => {
    const definition = registry.resource(group, version, resource);
    if (definition === undefined) throw new Error(`there is no type ${group}/${version} ${resource}`);
    return definition;
  };
  return {
    reader(name) {
      const definition = getDefinition(name);
      return createObjectReader({ definition, storage, cache: watchCache.find(definition), watchCache });
    },
    cache: name => watchCache.type(getDefinition(name)),
    ready: call => (watchCache.isReady ? undefined : untilReady(watchCache, call)),
  };
}

async function untilReady(watchCache: WatchCache, call: CallContext): Promise<void> {
  try {
    await withDeadline(watchCache.ready(), call);
  } catch {
    throw serviceUnavailable(
      'admission is starting: the objects that its plugins read are not loaded; nothing was changed',
    );
  }
}

interface ReaderParts {
  readonly definition: ResourceDefinition;
  readonly storage: ObjectSourceOptions['storage'];
  readonly watchCache: WatchCache;
  readonly cache: TypeCache | undefined;
}

function createObjectReader(parts: ReaderParts): ObjectReader {
  const { definition, storage, cache } = parts;
  const findCurrent: ObjectReader['findCurrent'] = async (namespace, name, call) => {
    const key = keyOf(definition, namespace, name);
    if (key === undefined) return undefined;
    const { record } = await readStore(() => storage.get(key, call));
    return record && seenRecord(record);
  };
  return {
    definition,
    findCurrent,
    listCurrent: (namespace, call) => listStored(parts, namespace, call),
    async find(namespace, name, call) {
      return cache?.get(namespace, name) ?? findCurrent(namespace, name, call);
    },
    async list(namespace, call) {
      const current = cache && (await caughtUp(parts, cache, call));
      return current
        ? current.list(namespace === '' ? {} : { namespace }).objects
        : listStored(parts, namespace, call);
    },
  };
}

/** Waits until the cache shows all current objects; returns undefined when it does not in time. */
async function caughtUp(
  { definition, storage, watchCache }: ReaderParts,
  cache: TypeCache,
  parent: CallContext,
): Promise<TypeCache | undefined> {
  const revision = await readTypeRevision(storage, definition, parent);
  if (watchCache.isReady && cache.revision >= revision) return cache;
  using call = createCallContext({ timeoutMs, parent });
  try {
    await withDeadline(watchCache.ready(), call);
    await cache.waitFor(revision, call);
    return cache;
  } catch (thrown) {
    if (parent.signal.aborted) throw thrown;
    return undefined;
  }
}

async function listStored(
  { definition, storage }: ReaderParts,
  namespace: string,
  call: CallContext,
): Promise<readonly SeenObject[]> {
  const prefix = storageKeyFrom(`${definition.storagePrefix}${namespace === '' ? '' : `${namespace}/`}`);
  return await readStore(async () => {
    const seen: SeenObject[] = [];
    for await (const { records } of listPages(storage, { prefix }, { nextCall: () => call }))
      for (const record of records) seen.push(seenRecord(record));
    return seen;
  });
}

function seenRecord({ key, value, revision }: StorageRecord): SeenObject {
  const [name = '', namespace = ''] = key.split('/').reverse();
  const seen: SeenObject = {
    key,
    namespace,
    name,
    revision,
    parse: () => decodeStored(value, revision),
    derived: (_slot, compute) => compute(seen),
  };
  return seen;
}

/** Returns the key of an object; undefined for invalid names. */
function keyOf(definition: ResourceDefinition, namespace: string, name: string): StorageKey | undefined {
  return name === '' ? undefined : findStorageKey(objectKey(definition, namespace, name));
}

import { objectKey, type ResourceDefinition } from '@binnacle/api-types';
import type { Namespace } from '@binnacle/api-types/core/v1';
import { decodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { type Revision, type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import type { CachedObject, TypeCache } from '@binnacle/watch-cache';
import { readStore } from './read-store.ts';

/** The parts of a namespace that admission uses. */
export interface NamespaceView {
  readonly key: StorageKey;
  readonly revision: Revision;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether it is being deleted. */
  readonly terminating: boolean;
}

/** Source of namespaces. */
export interface NamespaceSource {
  /** Finds a namespace in the cache, without a promise, or else in the store. */
  find(name: string, call: CallContext): NamespaceView | undefined | Promise<NamespaceView | undefined>;
  /** Reads a namespace from the store. */
  findCurrent(name: string, call: CallContext): Promise<NamespaceView | undefined>;
  /** Returns the storage key of a namespace; undefined for invalid names. */
  keyOf(name: string): StorageKey | undefined;
}

const viewSlot = Symbol('namespace view');

/** Creates a source on a cache and the store behind it. */
export function createNamespaceSource(
  definition: ResourceDefinition,
  { cache, storage }: { readonly cache: TypeCache; readonly storage: Pick<Storage, 'get'> },
): NamespaceSource {
  async function findCurrent(name: string, call: CallContext): Promise<NamespaceView | undefined> {
    const key = keyOf(definition, name);
    if (key === undefined) return undefined;
    const { record } = await readStore(() => storage.get(key, call));
    return record && createView(decodeStored(record.value, record.revision), record);
  }
  return {
    find(name, call) {
      const cached = cache.get('', name);
      return cached === undefined ? findCurrent(name, call) : cached.derived(viewSlot, viewOfCached);
    },
    findCurrent,
    keyOf: name => keyOf(definition, name),
  };
}

function viewOfCached(cached: CachedObject): NamespaceView {
  return createView(cached.parse(), cached);
}

function createView(
  { metadata, status }: Namespace,
  { key, revision }: { readonly key: StorageKey; readonly revision: Revision },
): NamespaceView {
  const { labels = {}, deletionTimestamp } = metadata;
  const terminating = deletionTimestamp !== undefined || status?.phase === 'Terminating';
  return { key, revision, labels, terminating };
}

/** Returns the key of a namespace; undefined for invalid names. */
function keyOf(definition: ResourceDefinition, name: string): StorageKey | undefined {
  try {
    return storageKeyFrom(objectKey(definition, '', name));
  } catch {
    return undefined;
  }
}

import { groups } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import {
  customDefinitionFrom,
  isBuiltInGroup,
  objectKey,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import { Backoff } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import type { CachedObject, TypeCache, WatchCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from '../read/consistent-read.ts';
import { decideDeletion } from '../write/engine/deletion-decision.ts';
import {
  apiServiceObjects,
  definitionApiService,
  isKeptForDefinitions,
  isKeptFromStart,
} from './api-services.ts';
import { type BootstrapObject, type EnsureServices, ensureObjects } from './ensure-objects.ts';

/** Options of keeping APIServices. */
interface ApiServicesOptions extends EnsureServices {
  /** The types that every server has, without those of definitions. */
  readonly builtIn: Pick<TypeRegistry, 'groups'>;
  readonly watchCache: WatchCache;
  readonly consistentReads: ConsistentReads;
  readonly random: () => number;
  readonly logger: Logger;
}

/** The APIServices that one gateway keeps. */
interface KeptApiServices extends Disposable {
  /** Starts; the watch cache must be ready. */
  start(): void;
}

/** Gateways wait for a random part of this before they write, so that the first one spares the others the work; in ms. */
const spreadMs = 500;
const passTimeoutMs = 10_000;
const shortestRetryMs = 1_000;
const longestRetryMs = 30_000;
const deletionsAtOnce = 8;

/**
 * Keeps an APIService for each group version that a custom definition serves: creates it, restores its specification,
 * creates it again when it is deleted, and removes it when no definition serves its group version any more.
 * APIServices of built-in group versions that exist at the start and are no longer served are removed once. An
 * APIService without the label of kept ones belongs to a user and is left alone.
 *
 * Every gateway does this. A pass compares what the caches show, and ends there if nothing is to be done; otherwise it
 * lets the caches catch up with the store, so that a gateway that is behind does not undo what another one did, and
 * compares again. Each write holds only if the store is at the revision that was read.
 */
export function keepApiServices(options: ApiServicesOptions): KeptApiServices {
  const { random, logger } = options;
  const stop = new AbortController();
  const unsubscribe: (() => void)[] = [];
  const failures = new FailureLog({
    log: logger,
    failed: 'APIServices cannot be written, retrying',
    worked: 'APIServices were written after failures',
  });
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  const backoff = new Backoff({ firstMs: shortestRetryMs, longestMs: longestRetryMs, random });
  let leftOver: ReadonlySet<string> = new Set();

  const schedule = (ms: number): void => {
    if (!stop.signal.aborted) timer ??= setTimeout(run, ms).unref();
  };
  const check = (): void => schedule(spreadMs * random());
  const run = async (): Promise<void> => {
    timer = undefined;
    // Passes of one gateway follow each other.
    if (isRunning) return check();
    isRunning = true;
    try {
      using call = createCallContext({ timeoutMs: passTimeoutMs, signal: stop.signal });
      await pass(options, leftOver, call);
      leftOver = new Set();
      backoff.reset();
      failures.worked();
    } catch (error) {
      if (stop.signal.aborted) return;
      failures.failed(error);
      schedule(backoff.next());
    } finally {
      isRunning = false;
    }
  };
  return {
    start() {
      const caches = findCaches(options);
      if (caches === undefined) return;
      leftOver = new Set(keptAtStart(caches));
      for (const cache of [caches.definitions, caches.apiServices]) unsubscribe.push(cache.subscribe(check));
      check();
    },
    [Symbol.dispose]() {
      stop.abort();
      clearTimeout(timer);
      for (const end of unsubscribe.splice(0)) end();
    },
  };
}

interface Caches {
  readonly definitions: TypeCache;
  readonly apiServices: TypeCache;
}

/** The caches of both types; undefined where one of the types is switched off. */
function findCaches({ registry, watchCache }: ApiServicesOptions): Caches | undefined {
  const findCache = (group: string, resource: string): TypeCache | undefined => {
    const definition = registry.resource(group, 'v1', resource);
    return definition && watchCache.find(definition);
  };
  const definitions = findCache(groups.apiextensions, 'customresourcedefinitions');
  const apiServices = findCache(groups.apiregistration, 'apiservices');
  return definitions && apiServices && { definitions, apiServices };
}

/** The uids of the APIServices that servers created for built-in group versions, served now or formerly. */
function keptAtStart({ apiServices }: Caches): string[] {
  return apiServices
    .list({})
    .objects.filter(({ labels }) => isKeptFromStart(labels))
    .map(object => parseContent(object).metadata.uid ?? '');
}

async function pass(
  options: ApiServicesOptions,
  leftOver: ReadonlySet<string>,
  call: CallContext,
): Promise<void> {
  const caches = findCaches(options);
  if (caches === undefined) return;
  const { consistentReads } = options;
  const builtIn = new Set(apiServiceObjects(options.builtIn).map(({ name }) => name));
  const isUnwanted = ({ labels, uid = '' }: Pick<ApiObject['metadata'], 'labels' | 'uid'>) =>
    isKeptForDefinitions(labels) || (isKeptFromStart(labels) && leftOver.has(uid));
  if (isNothing(findChanges(caches, { builtIn, isUnwanted }))) return;
  await Promise.all(
    [caches.definitions, caches.apiServices].map(cache => consistentReads.mostRecentInCache(cache, call)),
  );
  const { wanted, unwanted } = findChanges(caches, { builtIn, isUnwanted });
  await ensureObjects(wanted, options, call);
  const { definition } = caches.apiServices;
  for (let start = 0; start < unwanted.length; start += deletionsAtOnce) {
    const part = unwanted.slice(start, start + deletionsAtOnce);
    await Promise.all(part.map(name => remove(name, definition, { options, isUnwanted, call })));
  }
}

interface Changes {
  /** APIServices that are missing or have another specification. */
  readonly wanted: readonly BootstrapObject[];
  /** Names of APIServices to remove. */
  readonly unwanted: readonly string[];
}

function isNothing({ wanted, unwanted }: Changes): boolean {
  return wanted.length === 0 && unwanted.length === 0;
}

/** APIServices that may exist without a definition. */
interface Exceptions {
  /** Names of the APIServices of this server's own group versions. */
  readonly builtIn: ReadonlySet<string>;
  /** Whether an APIService with this metadata is removed when nothing serves its group version. */
  isUnwanted(metadata: ApiObject['metadata']): boolean;
}

/** The changes that are due as far as the caches show. */
function findChanges({ definitions, apiServices }: Caches, { builtIn, isUnwanted }: Exceptions): Changes {
  const served = new Map<string, BootstrapObject>();
  for (const definition of definitions.list({}).objects)
    for (const object of definition.derived(servedSlot, servedBy)) served.set(object.name, object);
  const wanted = [...served.values()].filter(object => {
    const current = apiServices.get('', object.name);
    if (current === undefined) return true;
    const content = parseContent(current);
    return object.bring?.(content) !== content;
  });
  const unwanted = apiServices
    .list({})
    .objects.filter(({ name }) => !served.has(name) && !builtIn.has(name))
    .map(parseContent)
    .filter(({ metadata }) => isUnwanted(metadata) && metadata.deletionTimestamp === undefined)
    .map(({ metadata: { name = '' } }) => name);
  return { wanted, unwanted };
}

const contentSlot = Symbol('content of an APIService');

/** The parsed object, cached because each pass reads all of them. */
function parseContent(object: CachedObject): ApiObject {
  return object.derived(contentSlot, version => version.parse());
}

const servedSlot = Symbol('APIServices of a definition');

/** The APIServices of the versions that a definition serves; a definition that is being deleted serves them to its end. */
function servedBy(object: CachedObject): readonly BootstrapObject[] {
  const { group, versions } = customDefinitionFrom(object.parse());
  if (isBuiltInGroup(group)) return [];
  return versions.filter(({ served }) => served).map(({ name }) => definitionApiService(group, name));
}

/** The services and the call of a removal. */
interface Removal extends Pick<Exceptions, 'isUnwanted'> {
  readonly options: ApiServicesOptions;
  readonly call: CallContext;
}

/** Removes an APIService. Throws when it was written meanwhile; another pass then reads it again. */
async function remove(
  name: string,
  definition: ResourceDefinition,
  { options: { storage, clock }, isUnwanted, call }: Removal,
): Promise<void> {
  const key = storageKeyFrom(objectKey(definition, '', name));
  const { record } = await storage.get(key, call);
  if (record === undefined) return;
  const current = decodeStored(record.value, record.revision);
  if (!isUnwanted(current.metadata)) return;
  const decision = decideDeletion(definition, current, { now: clock() });
  if (decision.kind === 'unchanged') return;
  const change =
    decision.kind === 'mark'
      ? { puts: [{ key, value: encodeStored(decision.object) }], deletes: [] }
      : { puts: [], deletes: [key] };
  const preconditions = [{ key, revision: record.revision }];
  const { committed } = await storage.transact({ preconditions, ...change }, call);
  if (!committed) throw new Error(`the APIService ${name} was written while it was deleted`);
}

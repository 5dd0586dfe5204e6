import { namespaces, understood } from '@binnacle/api-names';
import type { ObjectMeta } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { BoundedMap } from '@binnacle/event-loop';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import type { DiscoveredResource, Discovery } from '../discovery/discover-resources.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { DependencyGraph } from './dependency-graph.ts';
import { DiscoveryLoop } from './discovery-loop.ts';
import { createGarbageApi } from './garbage-api.ts';
import type { GarbageMetrics } from './garbage-metrics.ts';
import type { GarbageWorld } from './garbage-world.ts';
import { GraphFeeds } from './graph-feeds.ts';
import { reconcileObject } from './reconcile-object.ts';
import { recordInvalidOwner } from './record-invalid-owner.ts';

/** Milliseconds between discoveries of the served types. */
const discoveryPeriodMs = 30_000;

/** Options of the collector. */
interface GarbageCollectorOptions {
  readonly client: ApiClient;
  /** Objects processed at the same time. */
  readonly concurrency: number;
  readonly log: Logger;
  readonly metrics: GarbageMetrics;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly onError: (controller: string) => void;
}

/** Remembered owners that are absent, and owners whose dependents are orphaned. */
const rememberedOwners = 10_000;
const longestRetryMs = 60_000;
/** The account with whose permissions the collector works; its role is a default one. */
const collector = `system:serviceaccount:${namespaces.system}:generic-garbage-collector`;
/** Types that are not followed: their objects are many, short-lived and without owners. */
const ignored = new Set(['', ...understood.groups.events].map(group => `${group}/events`));

/**
 * Runs the garbage collector until the signal aborts: it deletes the dependents of deleted owners, deletes owners in the foreground
 * after their dependents, and orphans the dependents of owners that are deleted with Orphan.
 *
 * It begins once every known type has been listed, and removes finalizers of owners only while that holds.
 */
export async function runGarbageCollector(
  options: GarbageCollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { log, onError } = options;
  const client = asCollector(options.client);
  const graph = new DependencyGraph();
  let discovery: Discovery | undefined;
  const discovered = Promise.withResolvers<void>();
  const queue: WorkQueue = new WorkQueue({
    concurrency: options.concurrency,
    longestRetryMs,
    reconcile: async (uid, stop) => {
      const outcome = await reconcileObject(uid, world, stop);
      measure();
      return outcome;
    },
    onError: (uid, error) => {
      onError('garbage-collector');
      log.warn('garbage collection of an object failed, retrying', { ...describe(graph, uid), error });
    },
  });
  // While the API is unavailable every type fails: one line is logged.
  const informerFailures = new FailureLog({
    log,
    failed: 'a list or watch failed, retrying',
    ignoresFields: true,
  });
  const feeds = new GraphFeeds({
    client,
    graph,
    signal,
    onAffected: uids => {
      for (const uid of uids) queue.add(uid);
      measure();
    },
    onChange: type => loop.onChange(type),
    onError: ({ group, resource }, error) => {
      onError('garbage-collector-informer');
      informerFailures.failed(error, { group, resource });
    },
  });
  const world = createWorld(options, { client, graph, feeds, kinds: () => discovery });
  const loop = new DiscoveryLoop({
    client,
    periodMs: discoveryPeriodMs,
    onDiscovery(found): void {
      if (!feeds.isSynced)
        log.warn('garbage collection waits for types that cannot be listed', { types: feeds.unsynced });
      discovery = found;
      followDiscovered(found, feeds);
      if (found.failures.length > 0) options.metrics.onDiscoveryFailure();
      discovered.resolve();
      measure();
    },
    onError(error): void {
      options.metrics.onDiscoveryFailure();
      onError('garbage-collector-discovery');
      log.warn('discovery failed, retrying', { error });
    },
  });
  const measure = (): void =>
    options.metrics.observe({ objects: graph.size, types: feeds.size, queued: queue.depth });

  const discovering = loop.run(signal);
  await Promise.race([discovered.promise, discovering]);
  await feeds.synced();
  if (!signal.aborted) log.info('garbage collection started', { types: feeds.size, objects: graph.size });
  await Promise.all([discovering, queue.run(signal)]);
  await feeds.ended();
}

interface Parts {
  readonly client: Pick<ApiClient, 'request'>;
  readonly graph: DependencyGraph;
  readonly feeds: GraphFeeds;
  readonly kinds: () => Discovery | undefined;
}

function createWorld(
  { clock, metrics, log }: GarbageCollectorOptions,
  { client, graph, feeds, kinds }: Parts,
): GarbageWorld {
  const letGo = new LetGoOwners(rememberedOwners);
  return {
    graph,
    api: createGarbageApi(client),
    owners: {
      findKind: (apiVersion, kind) => kinds()?.byKind.get(`${apiVersion} ${kind}`),
      absent: new BoundedMap<string, true>(rememberedOwners),
      wasLetGo: (uid, createdAt) => letGo.has(uid, createdAt),
    },
    isComplete: () => feeds.isSynced,
    onInvalidOwner: (object, reference, signal) =>
      recordInvalidOwner({ client, now: clock }, { object, reference }, signal),
    onLetGo(owner): void {
      letGo.add(owner);
      metrics.onOrphaned();
    },
    onRemoved({ uid, type, namespace, name }, propagation): void {
      metrics.onRemoved(type.resource, propagation);
      log.debug('deleted because of its owners', {
        resource: type.resource,
        namespace,
        name,
        uid,
        propagation,
      });
    },
  };
}

/** Follows the discovered types; types of a version that did not answer this time are followed as before. */
function followDiscovered({ resources, failures }: Discovery, feeds: GraphFeeds): void {
  const silent = new Set(failures.map(({ groupVersion }) => groupVersion));
  feeds.follow(resources.filter(isFollowed), ({ group, version }) =>
    silent.has(group === '' ? version : `${group}/${version}`),
  );
}

function isFollowed({ group, resource, verbs }: DiscoveredResource): boolean {
  return (
    ['delete', 'get', 'list', 'watch'].every(verb => verbs.includes(verb)) &&
    !ignored.has(`${group}/${resource}`)
  );
}

function describe(graph: DependencyGraph, uid: string) {
  const { type, namespace, name } = graph.get(uid) ?? {};
  return { uid, resource: type?.resource, namespace, name };
}

/**
 * Wraps a client so that it impersonates the collector's own account: a defect of the collector can do no more than its role allows.
 * Lives as long as the given client.
 */
function asCollector(client: ApiClient): Pick<ApiClient, 'request' | 'watchBatches'> {
  return {
    request: options => client.request({ ...options, asUser: collector }),
    watchBatches: (path, signal, options) =>
      client.watchBatches(path, signal, { ...options, asUser: collector }),
  };
}

/**
 * Objects that were deleted without their dependents, with the times of the deletion requests.
 *
 * A dependent may become known only after its owner is gone. A dependent that is older than the deletion request is orphaned, not
 * collected. Only the latest owners are remembered.
 */
export class LetGoOwners {
  readonly #deletedAt: BoundedMap<string, string>;

  constructor(limit: number) {
    this.#deletedAt = new BoundedMap(limit);
  }

  add({ uid = '', deletionTimestamp = '' }: ObjectMeta): void {
    this.#deletedAt.set(uid, deletionTimestamp);
  }

  /** Whether an owner was deleted without dependents that were created at this time. */
  has(uid: string, dependentCreatedAt: string | undefined): boolean {
    const deletedAt = this.#deletedAt.get(uid);
    if (deletedAt === undefined || dependentCreatedAt === undefined) return false;
    return Date.parse(dependentCreatedAt) <= Date.parse(deletedAt);
  }
}

import { type ApiObject, isJsonObject, type ObjectMeta, type OwnerReference } from '@binnacle/api-objects';
import { type ApiClient, Informer } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import type { DiscoveredResource } from '../discovery/discover-resources.ts';
import { collectionPath } from '../discovery/resource-path.ts';
import { deletionStageFromMetadata } from './deletion-stage.ts';
import type { DependencyGraph, GraphObject } from './dependency-graph.ts';

/** Options of the feeds. */
interface GraphFeedsOptions {
  readonly client: Pick<ApiClient, 'request' | 'watchBatches'>;
  readonly graph: DependencyGraph;
  /** Called with the objects that a change affects. */
  readonly onAffected: (uids: ReadonlySet<string>) => void;
  /** Called when an object of this type changed, before the graph is updated. */
  readonly onChange: (type: DiscoveredResource) => void;
  /** Called when a list or watch failed, which is retried. */
  readonly onError: (type: DiscoveredResource, error: unknown) => void;
  readonly signal: AbortSignal;
}

interface Feed {
  readonly type: DiscoveredResource;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
  /** Resolves when the type has been listed, or is no longer followed. */
  readonly settled: Promise<void>;
  isSynced: boolean;
}

/** Types that are listed at a time: listing the whole API at once would overload the gateway. */
const parallelLists = 4;

/** Feeds the graph from the API: one informer of metadata for each resource type. */
export class GraphFeeds {
  readonly #options: GraphFeedsOptions;
  readonly #feeds = new Map<string, Feed>();
  /** Queues of feeds: each feed begins after the first list of the one before it, successful or not. */
  readonly #queues: Promise<void>[] = Array.from({ length: parallelLists }, () => Promise.resolve());

  constructor(options: GraphFeedsOptions) {
    this.#options = options;
  }

  /** Whether every followed type has been listed. */
  get isSynced(): boolean {
    return this.unsynced.length === 0;
  }

  /** Paths of the types that have not been listed yet. */
  get unsynced(): readonly string[] {
    return [...this.#feeds.values()]
      .filter(feed => !feed.isSynced)
      .map(({ type }) => collectionPath(type, ''));
  }

  get size(): number {
    return this.#feeds.size;
  }

  /**
   * Follows these types from now on, and stops following others unless `stays` returns true. A type with another version than before
   * gets a new feed.
   */
  follow(types: readonly DiscoveredResource[], stays: (type: DiscoveredResource) => boolean): void {
    const wanted = new Map(types.map(type => [`${type.group}/${type.resource}`, type]));
    for (const [key, feed] of this.#feeds) {
      const next = wanted.get(key);
      if (next === undefined ? stays(feed.type) : isSameType(next, feed.type)) wanted.delete(key);
      else this.#stop(key, feed);
    }
    for (const [key, type] of wanted) this.#feeds.set(key, this.#start(type));
  }

  /** Resolves once every followed type has been listed, or the signal aborts. */
  async synced(): Promise<void> {
    while (!this.isSynced && !this.#options.signal.aborted) {
      await Promise.all([...this.#feeds.values()].map(feed => feed.settled));
    }
  }

  /** Waits for the feeds to end after the signal aborts. */
  async ended(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map(feed => feed.ended));
  }

  #stop(key: string, feed: Feed): void {
    this.#feeds.delete(key);
    feed.stopping.abort();
    this.#options.graph.dropType(feed.type);
  }

  #start(type: DiscoveredResource): Feed {
    const { client, graph, onAffected, onChange, onError } = this.#options;
    const stopping = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stopping.signal]);
    // Later events of a stopped feed belong to the old version of the type.
    const unlessStopped = (take: () => void): void => {
      if (signal.aborted) return;
      onChange(type);
      take();
    };
    const failed = Promise.withResolvers<void>();
    const informer = new Informer({
      client,
      path: collectionPath(type, ''),
      signal,
      metadataOnly: true,
      trim: pickGraphFields,
      onChange: (object, previous) =>
        unlessStopped(() => {
          const replaced = previous?.metadata.uid;
          if (replaced !== undefined && replaced !== object.metadata.uid) onAffected(graph.forget(replaced));
          onAffected(graph.observe(graphObjectFrom(type, object)));
        }),
      onDelete: ({ metadata }) => unlessStopped(() => onAffected(graph.forget(metadata.uid ?? ''))),
      onError: error => {
        failed.resolve();
        onError(type, error);
      },
    });
    const synced = informer.synced.then(() => {
      feed.isSynced = true;
    });
    const settled = Promise.race([synced, untilAborted(signal)]);
    const turn = this.#queues.shift() ?? Promise.resolve();
    this.#queues.push(turn.then(() => Promise.race([settled, failed.promise])));
    const ended = turn.then(() => informer.run());
    const feed: Feed = { type, stopping, ended, settled, isSynced: false };
    return feed;
  }
}

function isSameType(a: DiscoveredResource, b: DiscoveredResource): boolean {
  return a.version === b.version && a.kind === b.kind && a.namespaced === b.namespaced;
}

/** Copies the parts of the metadata that the graph uses, to save memory. */
function pickGraphFields(object: ApiObject): ApiObject {
  const { metadata } = object;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const { deletionTimestamp, finalizers, ownerReferences } = metadata;
  const kept: ObjectMeta = {};
  if (name !== undefined) kept.name = name;
  if (namespace !== undefined) kept.namespace = namespace;
  if (uid !== undefined) kept.uid = uid;
  if (resourceVersion !== undefined) kept.resourceVersion = resourceVersion;
  if (isText(creationTimestamp)) kept.creationTimestamp = creationTimestamp;
  if (isText(deletionTimestamp)) kept.deletionTimestamp = deletionTimestamp;
  if (Array.isArray(finalizers)) kept.finalizers = finalizers;
  if (Array.isArray(ownerReferences))
    kept.ownerReferences = ownerReferences.filter(reference => isJsonObject(reference));
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: kept };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The owner references of objects without owners, which share one array. */
const noOwners: readonly OwnerReference[] = Object.freeze([]);

function graphObjectFrom(type: DiscoveredResource, { metadata }: ApiObject): GraphObject {
  const { name = '', namespace = '', uid = '', ownerReferences = noOwners } = metadata;
  return {
    uid,
    type,
    namespace,
    name,
    owners: ownerReferences,
    stage: deletionStageFromMetadata(metadata),
    metadata,
  };
}

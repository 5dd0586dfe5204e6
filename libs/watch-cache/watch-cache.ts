import type { ResourceDefinition } from '@binnacle/api-types';
import { errorStack } from '@binnacle/status-errors';
import { type Revision, type StorageKey, typePrefixFromKey } from '@binnacle/storage-contract';
import { type TypeCache, TypeNotHeld, type WatchCache } from './contract/contract.ts';
import type { FeedMessage, HistoryReceiver } from './contract/feed.ts';
import { settingsFrom, type WatchCacheOptions, type WatchCacheSettings } from './contract/options.ts';
import { PartitionHistory } from './type-replica/partition-history.ts';
import type { PartitionProgress } from './type-replica/partition-progress.ts';
import { ReplicaLister } from './type-replica/replica-lister.ts';
import { TypeReplica } from './type-replica/type-replica.ts';
import { BookmarkWheel } from './watch-groups/bookmark-wheel.ts';
import { CatchUpScheduler } from './watch-groups/catch-up-scheduler.ts';
import { ChunkBudget } from './watch-groups/chunk-budget.ts';
import { DrainPace } from './watch-groups/drain-pace.ts';
import { FlushTurn } from './watch-groups/flush-turn.ts';
import type { WatcherServices } from './watch-groups/type-watchers.ts';

/** Creates a cache and starts it: it lists its types and follows the feed until it is disposed of. */
export function createWatchCache(options: WatchCacheOptions): WatchCache {
  return new FeedFollower(settingsFrom(options));
}

/** Delay in ms between readiness and the read of history, so that types added by custom resource definitions are included. */
const historyDelayMs = 1_000;

/** Time in ms after which watches no longer wait for history. */
const longestHistoryMs = 60_000;

const nothingWanted: HistoryReceiver = {
  isWanted: false,
  joinsAt: 0,
  receive() {},
  async join() {},
  discard() {},
};

interface Partition {
  readonly progress: PartitionProgress;
  /** Types that the partition carries; empty until the feed is open. */
  replicas: TypeReplica[];
}

type Changes = Extract<FeedMessage, { kind: 'changes' }>;

/** Implements the cache: opens the feed, requests listings, and passes every message to its types. */
class FeedFollower implements WatchCache {
  readonly #settings: WatchCacheSettings;
  readonly #replicas = new Map<string, TypeReplica>();
  readonly #partitions = new Map<number, Partition>();
  readonly #stop = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  readonly #scheduler: CatchUpScheduler;
  readonly #wheel: BookmarkWheel;
  readonly #lister: ReplicaLister;
  readonly #unlisted: Set<TypeReplica>;
  /** Types added later that are not listed yet; readiness does not wait for them. */
  readonly #added = new Set<TypeReplica>();
  readonly #watcherServices: WatcherServices;
  readonly #opening: Promise<void>;
  #cancelHistory: (() => void) | undefined;
  #reading: Promise<void> | undefined;
  /** Cancels the refusal of waiting calls that a drain has planned. */
  #cancelRefusal: (() => void) | undefined;
  #isOpen = false;
  #isWatched = true;

  constructor(settings: WatchCacheSettings) {
    this.#settings = settings;
    const { environment, limits } = settings;
    this.#scheduler = new CatchUpScheduler(environment.clock);
    this.#wheel = new BookmarkWheel(environment.clock, limits.watchCacheBookmarkInterval, () => this.#tidy());
    this.#watcherServices = {
      environment,
      scheduler: this.#scheduler,
      wheel: this.#wheel,
      flushTurn: new FlushTurn(environment.clock, milliseconds => settings.feed.throttle?.(milliseconds)),
      budget: new ChunkBudget(limits.watchCacheInitialStateBytes),
      limits,
      onWatch: () => this.#setWatched(true),
    };
    for (const definition of settings.definitions) {
      if (this.#replicas.has(definition.storagePrefix)) continue;
      this.#replicas.set(
        definition.storagePrefix,
        new TypeReplica(definition, settings, this.#watcherServices),
      );
    }
    this.#unlisted = new Set(this.#replicas.values());
    this.#lister = new ReplicaLister(settings, this.#stop.signal, {
      onInstalled: replica => this.#installed(replica),
      onUnreadable: replica => this.#unreadable(replica),
    });
    this.#ready.promise.catch(() => {}); // Callers need not await it.
    this.#opening = this.#open();
  }

  get isReady(): boolean {
    return this.#isOpen && this.#unlisted.size === 0;
  }

  ready(): Promise<void> {
    return this.#ready.promise;
  }

  type(definition: ResourceDefinition): TypeCache {
    const replica = this.find(definition);
    if (replica === undefined) throw new TypeNotHeld(`the cache does not hold ${definition.storagePrefix}`);
    return replica;
  }

  find(definition: ResourceDefinition): TypeCache | undefined {
    return this.#replicas.get(definition.storagePrefix);
  }

  add(definition: ResourceDefinition): TypeCache {
    const known = this.#replicas.get(definition.storagePrefix);
    if (known !== undefined) return known;
    if (this.#settings.isFixed)
      throw new TypeNotHeld(`the cache takes no further types: ${definition.storagePrefix}`);
    const replica = new TypeReplica(definition, this.#settings, this.#watcherServices);
    if (this.#reading !== undefined) replica.endHistory();
    this.#replicas.set(definition.storagePrefix, replica);
    this.#added.add(replica);
    if (this.#stop.signal.aborted) void replica.watchers.drain(this.#drainPace([replica]));
    else if (this.#isOpen) {
      const partition = this.#assign(replica);
      // The replica lacks the changes that the feed delivered before.
      replica.completeFrom = partition.progress.revision;
      this.#lister.request(replica);
    }
    return replica;
  }

  endWatches(definition: ResourceDefinition): void {
    this.#replicas.get(definition.storagePrefix)?.watchers.endAll('closed');
  }

  async remove(definition: ResourceDefinition): Promise<void> {
    const replica = this.#replicas.get(definition.storagePrefix);
    if (replica === undefined) return;
    this.#replicas.delete(definition.storagePrefix);
    this.#unlisted.delete(replica);
    this.#added.delete(replica);
    this.#lister.forget(replica);
    for (const partition of this.#partitions.values())
      partition.replicas = partition.replicas.filter(other => other !== replica);
    replica.refuseWaiting();
    await replica.watchers.drain(this.#drainPace([replica]));
    replica.tidy();
  }

  async drain(overMs = 0): Promise<void> {
    const replicas = [...this.#replicas.values()];
    const refuseWaiting = () => {
      for (const replica of replicas) replica.refuseWaiting();
    };
    this.#cancelRefusal?.();
    if (overMs > 0) this.#cancelRefusal = this.#settings.environment.clock.after(overMs, refuseWaiting);
    else refuseWaiting();
    for (const replica of replicas) replica.watchers.endNew();
    const pace = this.#drainPace(replicas, overMs);
    for (const replica of replicas) await replica.watchers.drain(pace);
  }

  #drainPace(replicas: readonly TypeReplica[], overMs = 0): DrainPace {
    const watches = replicas.reduce((sum, replica) => sum + replica.watchers.watchers, 0);
    return new DrainPace(this.#settings.environment.clock, watches, overMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#cancelHistory?.();
    this.#wheel[Symbol.dispose]();
    await this.drain();
    this.#scheduler[Symbol.dispose]();
    this.#ready.reject(new Error('the watch cache was stopped'));
    await this.#opening;
    await this.#reading;
  }

  async #open(): Promise<void> {
    const { feed, environment, isFixed } = this.#settings;
    const { signal } = this.#stop;
    const followed = isFixed ? [...this.#replicas.keys()] : undefined;
    try {
      await feed.open(message => this.#take(message), signal, followed);
    } catch (thrown) {
      if (!signal.aborted) environment.log.error('the change feed did not open', { error: String(thrown) });
      this.#ready.reject(new Error('the change feed did not open', { cause: thrown }));
      return;
    }
    if (signal.aborted) return;
    for (const replica of this.#replicas.values()) this.#assign(replica);
    this.#isOpen = true;
    for (const replica of this.#replicas.values()) this.#lister.request(replica);
    this.#reviewReady();
  }

  #reviewReady(): void {
    if (this.#unlisted.size > 0) return;
    this.#ready.resolve();
    if (this.#cancelHistory !== undefined || !this.#settings.readsHistory) return;
    const { clock } = this.#settings.environment;
    this.#cancelHistory = clock.after(historyDelayMs, () => {
      this.#reading = this.#readHistory();
    });
  }

  /** Fills the event windows with changes from before the start; does not reject. */
  async #readHistory(): Promise<void> {
    const { feed, environment } = this.#settings;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, stop.signal]);
    const cancel = environment.clock.after(longestHistoryMs, () => stop.abort());
    const begun = environment.clock.monotonic();
    const waiting = [...this.#replicas.values()].filter(({ awaitsHistory }) => awaitsHistory);
    for (const replica of waiting) if (!replica.isListed) replica.endHistory();
    const histories = new Map<number, PartitionHistory>();
    for (const [number, { replicas }] of this.#partitions)
      histories.set(number, new PartitionHistory(replicas, change => typePrefixFromKey(change.key)));
    try {
      await feed.readHistory(partition => histories.get(partition) ?? nothingWanted, signal);
      const milliseconds = Math.round(environment.clock.monotonic() - begun);
      environment.log.info('the event windows are filled', { milliseconds });
    } catch (thrown) {
      const error = String(thrown);
      if (!this.#stop.signal.aborted) environment.log.warn('the event windows were not filled', { error });
    } finally {
      cancel();
    }
    for (const replica of waiting) replica.endHistory();
  }

  /** Assigns a type to the partition of the feed that carries it. */
  #assign(replica: TypeReplica): Partition {
    const partition = this.#partition(this.#settings.feed.partitionOf(replica.storagePrefix));
    replica.partition = partition.progress;
    partition.replicas.push(replica);
    return partition;
  }

  #installed(replica: TypeReplica): void {
    const { environment } = this.#settings;
    const { resourceName } = replica;
    if (!this.#unlisted.delete(replica) && !this.#added.delete(replica))
      environment.metrics.count('relists', resourceName, 1);
    this.#reviewReady();
  }

  #take(message: FeedMessage): void {
    if (this.#stop.signal.aborted) return;
    if (message.kind === 'partitions') {
      this.#repartition();
      return;
    }
    const partition = this.#partition(message.partition);
    try {
      if (message.kind === 'gap') this.#gap(message.partition);
      else this.#apply(partition, message);
    } catch (thrown) {
      // The message may be applied partially. A new listing restores a consistent state.
      this.#settings.environment.log.error('cannot apply a change feed message', {
        partition: message.partition,
        error: errorStack(thrown),
      });
      this.#gap(message.partition);
    }
  }

  #apply({ progress, replicas }: Partition, message: Changes): void {
    const seen = progress.revision;
    const received = this.#settings.environment.clock.now();
    // Changes up to `seen` are dropped, so completeness starts after them.
    progress.start ??= Math.max(seen, message.after);
    const touched = new Set<TypeReplica>();
    for (const change of message.changes) {
      if (change.revision <= seen) continue;
      const replica = this.#findReplica(change.key);
      if (replica === undefined) continue;
      if (change.isUnreadable) this.#listAnew(replica, change.revision);
      else replica.receive(change, received);
      touched.add(replica);
    }
    progress.revision = Math.max(seen, message.revision);
    for (const replica of touched) replica.offer();
    for (const replica of replicas) replica.announce();
    this.#reviewWatched();
  }

  /** Handles a change whose values cannot be decrypted: only its type is listed again, and not before its objects can be read. */
  #listAnew(replica: TypeReplica, revision: Revision): void {
    replica.lose(revision);
    if (this.#isOpen) this.#lister.request(replica);
  }

  /**
   * A type that cannot be read must not keep the others from being served: readiness does not wait for it. A cache with fixed types
   * decides on writes, where a missing object, such as a quota, must not allow anything.
   */
  #unreadable(replica: TypeReplica): void {
    if (this.#settings.isFixed) return;
    if (this.#unlisted.delete(replica)) this.#added.add(replica);
    this.#reviewReady();
  }

  /** A cache with fixed types has no watches, and its users compare revisions: its feed is never throttled for lack of watches. */
  #reviewWatched(): void {
    if (this.#settings.isFixed) return;
    for (const { watchers } of this.#replicas.values())
      if (watchers.watchers > 0) {
        this.#setWatched(true);
        return;
      }
    this.#setWatched(false);
  }

  #setWatched(isWatched: boolean): void {
    if (this.#isWatched === isWatched) return;
    this.#isWatched = isWatched;
    this.#settings.feed.setWatched?.(isWatched);
  }

  /** Handles new partitions of the feed: each continues at the progress of the partition that carried its types. */
  #repartition(): void {
    if (!this.#isOpen) return;
    this.#partitions.clear();
    for (const replica of this.#replicas.values()) {
      const number = this.#settings.feed.partitionOf(replica.storagePrefix);
      if (!this.#partitions.has(number))
        this.#partitions.set(number, { progress: { ...replica.partition }, replicas: [] });
      this.#assign(replica);
    }
  }

  #gap(number: number): void {
    const { log } = this.#settings.environment;
    // Before the feed is open the types of a partition are unknown: all partitions restart.
    const partitions = this.#isOpen ? [this.#partition(number)] : [...this.#partitions.values()];
    const replicas = this.#isOpen ? this.#partition(number).replicas : [...this.#replicas.values()];
    for (const { progress } of partitions) {
      progress.start = undefined;
      // The store may have been set back to an older state: later revisions can be smaller.
      progress.revision = 0;
    }
    for (const replica of replicas) replica.suspend();
    if (!this.#isOpen) return;
    log.warn('gap in the change feed, listing its types again', { partition: number });
    for (const replica of replicas) this.#lister.request(replica);
  }

  #findReplica(key: StorageKey): TypeReplica | undefined {
    return this.#replicas.get(typePrefixFromKey(key));
  }

  #partition(number: number): Partition {
    let partition = this.#partitions.get(number);
    if (partition === undefined) {
      partition = { progress: { revision: 0, start: undefined }, replicas: [] };
      this.#partitions.set(number, partition);
    }
    return partition;
  }

  #tidy(): void {
    for (const replica of this.#replicas.values()) replica.tidy();
  }
}

import type { ResourceDefinition } from '@binnacle/api-types';
import { sharedSlices } from '@binnacle/event-loop';
import { type CallContext, isTraceparent } from '@binnacle/proto';
import { serviceUnavailable } from '@binnacle/status-errors';
import { type Revision, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import type {
  CachedObject,
  CacheEvent,
  CacheList,
  CachePage,
  CachePageQuery,
  CacheQuery,
  TypeCache,
  Watcher,
  WatchRequest,
} from '../contract/contract.ts';
import type { FeedChange } from '../contract/feed.ts';
import type { WatchCacheSettings } from '../contract/options.ts';
import { EventWindow, type EventWindowLimits } from '../event-window/event-window.ts';
import { compileQuery } from '../indexes/compiled-query.ts';
import { selectObjects, selectPage } from '../indexes/select-objects.ts';
import { ObjectStore } from '../object-store/object-store.ts';
import { StoredObject } from '../object-store/stored-object.ts';
import { TypeWatchers, type WatcherServices } from '../watch-groups/type-watchers.ts';
import type { WatchedReplica } from '../watch-groups/watched-replica.ts';
import { History } from './history.ts';
import type { ListedRecords } from './list-records.ts';
import type { PartitionProgress } from './partition-progress.ts';
import { PendingChanges } from './pending-changes.ts';
import { type ReceivedChange, receivedChangeFrom } from './received-change.ts';
import { RevisionWaiters } from './revision-waiters.ts';
import { storeDifference } from './store-difference.ts';

/** A list as of a revision with more changes since then is served by the store. */
const mostUndone = 10_000;

const noVersions: ReadonlyMap<string, CachedObject | undefined> = new Map();

/**
 * The replica of one type: its objects, its event window and its watchers.
 *
 * Listing and feed overlap. The listing shows the type at revision R, read after the feed was opened; the feed delivers changes
 * from a revision before R. Changes up to R are already in the listing and only fill the window; later changes are applied.
 * Therefore a watch can start at R immediately, and at an earlier revision once the feed has reached R. Changes from before the
 * feed was opened are added to the window later, in pieces; watches that start there wait for them. While the type is listed
 * again after a gap, the replica serves the old state at a fixed revision.
 */
export class TypeReplica implements TypeCache, WatchedReplica {
  readonly definition: ResourceDefinition;
  readonly storagePrefix: StorageKey;
  readonly resourceName: string;
  readonly watchers: TypeWatchers;
  /** Progress of the partition that carries the type; the cache sets it when the feed is open. */
  partition: PartitionProgress = { revision: 0, start: undefined };
  /** Changes up to this revision may have been delivered before the cache held the type. */
  completeFrom: Revision = 0;
  readonly #settings: WatchCacheSettings;
  readonly #limits: EventWindowLimits;
  readonly #pending: PendingChanges;
  readonly #waiters: RevisionWaiters;
  readonly #listeners = new Set<(event: CacheEvent) => void>();
  #store = new ObjectStore();
  #window: EventWindow;
  #isListed = false;
  #listRevision: Revision = 0;
  /** The revision served while the type is not listed. */
  #standingRevision: Revision = 0;
  #history: History | undefined;
  /** Whether the feed had delivered nothing when the type was listed: its first message determines the start of the window. */
  #awaitsStart = false;
  #applied: CacheEvent[] = [];
  /** Whether changes from before the window are still expected. */
  #awaitsHistory: boolean;
  /** History has added the changes up to this revision to the window; the feed may deliver them again. */
  #pastUpTo: Revision = 0;
  /** Changes of the piece being read, and `oldestRevision` of the window when the piece began. */
  #piece: { readonly changes: PendingChanges; readonly end: Revision } | undefined;

  constructor(definition: ResourceDefinition, settings: WatchCacheSettings, services: WatcherServices) {
    this.definition = definition;
    this.storagePrefix = storageKeyFrom(definition.storagePrefix);
    this.resourceName =
      definition.group === '' ? definition.resource : `${definition.resource}.${definition.group}`;
    this.#settings = settings;
    const { limits } = settings;
    this.#limits = {
      milliseconds: limits.historyWindow,
      events: limits.watchCacheMaxEvents,
      bytes: limits.watchCacheMaxEventBytes,
    };
    this.#pending = new PendingChanges(this.#limits);
    this.#awaitsHistory = settings.readsHistory;
    this.#waiters = new RevisionWaiters(settings.environment.clock, limits.watchCacheMaxWaitingReads);
    this.#window = new EventWindow(this.#limits, 0);
    this.watchers = new TypeWatchers(this, services);
  }

  get revision(): Revision {
    return this.#isListed ? Math.max(this.#listRevision, this.partition.revision) : this.#standingRevision;
  }

  get oldestRevision(): Revision {
    return this.#window.oldestRevision;
  }

  get size(): number {
    return this.#store.size;
  }

  get isListed(): boolean {
    return this.#isListed;
  }

  get historyEnd(): Revision {
    return this.partition.revision >= this.#listRevision ? 0 : this.#listRevision;
  }

  get awaitsHistory(): boolean {
    return this.#awaitsHistory;
  }

  get store(): ObjectStore {
    return this.#store;
  }

  get window(): EventWindow {
    return this.#window;
  }

  async waitFor(revision: Revision, call: CallContext): Promise<void> {
    if (revision <= this.revision) return;
    using _expedited = this.#settings.feed.expedite?.();
    await this.#waiters.wait(revision, this.revision, call);
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#store.get(`${this.storagePrefix}${namespace}/${name}`);
  }

  list(query: CacheQuery): CacheList {
    const objects = selectObjects(this.#store, compileQuery(query), this.storagePrefix);
    return { objects, revision: this.revision };
  }

  page({ startAfter, limit, atRevision, ...wanted }: CachePageQuery): CachePage | undefined {
    const revision = atRevision ?? this.revision;
    const versions = atRevision === undefined ? noVersions : this.#versionsAt(atRevision);
    if (versions === undefined) return undefined;
    const query = compileQuery(wanted);
    const part = { startAfter, limit, versions };
    return { ...selectPage(this.#store, { query, storagePrefix: this.storagePrefix }, part), revision };
  }

  watch(request: WatchRequest): Watcher {
    return this.watchers.add(request);
  }

  subscribe(listener: (event: CacheEvent) => void): () => void {
    const own = (event: CacheEvent) => listener(event); // The same listener may be subscribed twice.
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Accepts a change that is newer than all earlier ones of its partition. */
  receive(change: FeedChange, received: number): void {
    if (!this.#isListed) this.#pending.add(receivedChangeFrom(change, received, true));
    else this.#take(receivedChangeFrom(change, received, change.revision <= this.#listRevision));
  }

  /**
   * Handles a change whose values cannot be decrypted: watches end as after a gap, and the served state is fixed until a listing, which
   * must be begun, shows the change.
   */
  lose(revision: Revision): void {
    if (this.#isListed) {
      const applied = this.#applied;
      this.#applied = [];
      for (const event of applied) this.#tell(event);
      this.suspend();
    }
    this.#pending.lose(revision);
  }

  /** Passes the accepted changes to the watch groups; called after the partition's revision has advanced. */
  offer(): void {
    if (this.#applied.length > 0) this.watchers.offer(this.#applied);
  }

  /** Notifies listeners and calls that wait for a revision; called after all types of the message were offered. */
  announce(): void {
    const applied = this.#applied;
    if (applied.length > 0) {
      this.#applied = [];
      this.#settings.environment.metrics.count('events', this.resourceName, applied.length);
      for (const event of applied) this.#tell(event);
    }
    if (!this.#isListed) return;
    this.#learnStart();
    if (this.partition.revision >= this.#listRevision) this.#history = undefined;
    this.#waiters.advance(this.revision);
    this.watchers.review();
  }

  /** Handles a gap in the feed: the served state is fixed until `install`. */
  suspend(): void {
    if (this.#isListed) this.endHistory();
    this.#standingRevision = this.revision;
    this.#isListed = false;
    this.#pending.clear();
    this.watchers.endBegun('expired');
  }

  /** Changes up to this revision may be missing among those received since the listing began. */
  get lostUpTo(): Revision {
    return this.#pending.lostUpTo;
  }

  /** Installs a listing, then applies the changes received meanwhile. */
  install(listed: ListedRecords): void {
    const { revision } = listed;
    const start = Math.max(this.partition.start ?? revision, this.lostUpTo, this.completeFrom);
    const { store, events } = storeDifference(this.definition, this.#store, listed, this.#now());
    this.#store = store;
    this.#window = new EventWindow(this.#limits, Math.min(start, revision));
    this.#history = new History(this.definition, store);
    this.#awaitsStart = this.partition.start === undefined;
    this.#listRevision = revision;
    this.#pastUpTo = 0;
    this.#isListed = true;
    for (const event of events) this.#tell(event);
    for (const change of this.#pending.take()) this.#take(change);
    this.announce();
  }

  /** Accepts a change from before the window; changes inside the window are dropped. */
  receivePast(change: FeedChange): void {
    const window = this.#window;
    if (!this.#awaitsHistory || change.revision > window.oldestRevision) return;
    if (change.isUnreadable) {
      this.endHistory();
      return;
    }
    // The byte limit is doubled, because pending changes include the previous states and the window does not.
    this.#piece ??= {
      changes: new PendingChanges({
        events: this.#limits.events - window.size,
        bytes: 2 * (this.#limits.bytes - window.bytes),
      }),
      end: window.oldestRevision,
    };
    this.#piece.changes.add(receivedChangeFrom(change, this.#now(), true));
  }

  /** Discards the received changes of the piece. */
  discardPast(): void {
    this.#piece = undefined;
  }

  /** Inserts the piece before the window: all changes after `after` up to `upTo` were received. */
  async joinPast(after: Revision, upTo: Revision): Promise<void> {
    const piece = this.#piece;
    this.#piece = undefined;
    if (!this.#awaitsHistory || after >= this.#window.oldestRevision) return;
    const lostUpTo = piece?.changes.lostUpTo ?? 0;
    const end = piece?.end ?? this.#window.oldestRevision;
    const history = new History(this.definition, this.#store);
    const events: CacheEvent[] = [];
    for (const change of piece?.changes.take() ?? []) {
      if (sharedSlices.isOver()) await sharedSlices.yield();
      const event = history.eventFrom(change);
      if (event !== undefined) events.push(event);
    }
    const { oldestRevision } = this.#window;
    // After a gap, or if a full window evicted changes meanwhile, nothing can be inserted before it.
    if (!this.#awaitsHistory || oldestRevision > end || upTo < oldestRevision) return this.endHistory();
    const fitting = events.findLastIndex(({ revision }) => revision <= oldestRevision) + 1;
    this.#pastUpTo = Math.max(this.#pastUpTo, oldestRevision);
    const isWhole = this.#window.prepend(events.slice(0, fitting), Math.max(after, lostUpTo));
    if (isWhole && lostUpTo === 0) this.watchers.reviewPast();
    else this.endHistory();
  }

  /** Ends the wait for history: nothing more is inserted before the window. */
  endHistory(): void {
    if (!this.#awaitsHistory) return;
    this.#awaitsHistory = false;
    this.#piece = undefined;
    this.watchers.reviewPast();
  }

  /** Evicts old data and reports gauges; called periodically. */
  tidy(): void {
    const now = this.#now();
    this.#window.evict(now);
    this.watchers.tidy(now);
    this.#store.labels.tidy(now);
    const { metrics } = this.#settings.environment;
    metrics.level('objects', this.resourceName, this.#store.size);
    metrics.level('watchers', this.resourceName, this.watchers.watchers);
    metrics.level('groups', this.resourceName, this.watchers.groups);
    metrics.level('windowEvents', this.resourceName, this.#window.size);
    metrics.level('windowBytes', this.resourceName, this.#window.bytes);
  }

  /** Refuses the calls that wait for a revision. */
  refuseWaiting(): void {
    this.#waiters.refuseAll(serviceUnavailable('the server is stopping'));
  }

  #versionsAt(revision: Revision): ReadonlyMap<string, CachedObject | undefined> | undefined {
    return revision > this.revision ? undefined : this.#window.versionsAt(revision, mostUndone);
  }

  #take(change: ReceivedChange): void {
    if (change.revision <= this.#listRevision) {
      this.#learnStart();
      const event = this.#history?.eventFrom(change);
      if (event !== undefined && change.revision > this.#pastUpTo) this.#window.append(event);
      return;
    }
    const event = this.#apply(change);
    if (event === undefined) return;
    this.#window.append(event);
    this.#applied.push(event);
    if (change.traceparent !== undefined) this.#trace(event, change.traceparent);
    const { metrics } = this.#settings.environment;
    const { committed, published, received } = change;
    metrics.observe('published', Math.max(0, published - committed) / 1000);
    metrics.observe('received', Math.max(0, received - published) / 1000);
  }

  /** Records that a traced change was received; the span of the frame that shows it to watchers comes below. */
  #trace(event: CacheEvent, traceparent: string): void {
    const { tracer } = this.#settings.environment;
    if (tracer === undefined || !isTraceparent(traceparent)) return;
    const { revision, received } = event;
    const attributes = { resource: this.resourceName, revision };
    const trace = tracer.join({ traceparent, tracestate: '' });
    const span = trace.start('receive', { kind: 'consumer', startTime: received, attributes });
    if (span === undefined) return;
    span.end();
    this.watchers.trace(event, span);
  }

  #learnStart(): void {
    if (!this.#awaitsStart || this.partition.start === undefined) return;
    this.#awaitsStart = false;
    this.#window.extendBack(Math.max(this.partition.start, this.completeFrom));
  }

  /** Applies a change to the store. The event type depends on the store's previous state, which watchers have seen. */
  #apply(change: ReceivedChange): CacheEvent | undefined {
    const { key, revision, received } = change;
    if (change.type === 'deleted') {
      const previous = this.#store.delete(key);
      return previous && { type: 'DELETED', revision, object: previous, previous, received };
    }
    const previous = this.#store.get(key);
    const object = new StoredObject(this.definition, { key, revision, stored: change.stored }, previous);
    this.#store.put(object);
    return { type: previous === undefined ? 'ADDED' : 'MODIFIED', revision, object, previous, received };
  }

  #tell(event: CacheEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (thrown) {
        const { log } = this.#settings.environment;
        log.error('a watch cache listener failed', { resource: this.resourceName, error: String(thrown) });
      }
    }
  }

  #now(): number {
    return this.#settings.environment.clock.now();
  }
}

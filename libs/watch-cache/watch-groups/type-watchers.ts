import type { Span } from '@binnacle/proto';
import { errorStack } from '@binnacle/status-errors';
import type { Revision } from '@binnacle/storage-contract';
import type { CacheEvent, WatchEnd, Watcher, WatchRequest } from '../contract/contract.ts';
import type { Environment } from '../contract/environment.ts';
import type { WatchCacheLimits } from '../contract/limits.ts';
import { compileQuery } from '../indexes/compiled-query.ts';
import { QueryIndex } from '../indexes/query-index.ts';
import type { BookmarkWheel } from './bookmark-wheel.ts';
import type { CatchUpOutcome, CatchUpScheduler, CatchUpTask } from './catch-up-scheduler.ts';
import { catchUpStep } from './catch-up-step.ts';
import type { ChunkBudget } from './chunk-budget.ts';
import type { DrainPace } from './drain-pace.ts';
import type { Flushable, FlushTurn } from './flush-turn.ts';
import { GroupWatcher, type WatcherOwner, type WatcherState } from './group-watcher.ts';
import { SharedFrames } from './shared-frames.ts';
import { WatchGroup } from './watch-group.ts';
import type { WatchedReplica } from './watched-replica.ts';

/** Services shared by the watchers of all types of a cache. */
export interface WatcherServices {
  readonly environment: Environment;
  readonly scheduler: CatchUpScheduler;
  readonly wheel: BookmarkWheel;
  readonly flushTurn: FlushTurn;
  readonly budget: ChunkBudget;
  readonly limits: WatchCacheLimits;
  /** Called for each new watch. */
  readonly onWatch: () => void;
}

/** Most traced changes between two flushes; the frames of others get no span. */
const mostTraced = 128;

/** A traced change on its way to watchers. */
interface TracedChange {
  readonly receipt: Span;
  /** From the first encoded frame of the change to the flush: one for all groups and watchers. Undefined: no watcher gets one. */
  frame: Span | undefined;
  groups: number;
  watchers: number;
}

function noteFrame(traced: TracedChange, watchers: number): void {
  traced.frame ??= traced.receipt.start('watch frame', { kind: 'producer' });
  traced.groups++;
  traced.watchers += watchers;
}

/**
 * All watchers of one type, whether they wait, catch up or are live members of a group.
 *
 * Applied changes are offered to the groups that they may concern and written at the end of the turn. A watcher becomes live only
 * right after a flush of its group and after it has seen all applied changes, so its stream has neither gaps nor duplicates
 * there.
 */
export class TypeWatchers implements WatcherOwner, Flushable {
  readonly #replica: WatchedReplica;
  readonly #services: WatcherServices;
  readonly #groups = new Map<string, WatchGroup<GroupWatcher>>();
  readonly #index = new QueryIndex<WatchGroup<GroupWatcher>>();
  readonly #parked = new Set<GroupWatcher>();
  /** No parked watch can start before the replica reaches this revision. */
  #parkedUntil: Revision = 0;
  /** Watches that wait for changes from before the window. */
  readonly #awaitingPast = new Set<GroupWatcher>();
  readonly #catchingUp = new Set<GroupWatcher>();
  readonly #frames = new SharedFrames();
  #dirty: WatchGroup<GroupWatcher>[] = [];
  /** Times at which the changes that wait for the flush were received. */
  #pendingSince: number[] = [];
  #isFlushScheduled = false;
  /** Traced changes until they are written. */
  #traced: Map<CacheEvent, TracedChange> | undefined;
  #watchers = 0;
  #isDraining = false;

  constructor(replica: WatchedReplica, services: WatcherServices) {
    this.#replica = replica;
    this.#services = services;
  }

  get revision(): Revision {
    return this.#replica.revision;
  }

  /** Number of running watches. */
  get watchers(): number {
    return this.#watchers;
  }

  get groups(): number {
    return this.#groups.size;
  }

  /** See `TypeCache.watch`. */
  add(request: WatchRequest): Watcher {
    const group = this.#groupFor(request);
    const watcher = new GroupWatcher(request, group, this);
    this.#watchers++;
    this.#services.onWatch();
    group.catchUp.enter();
    this.#start(watcher);
    return watcher;
  }

  /** Records the frame of a change that is offered next as a span below another. */
  trace(event: CacheEvent, receipt: Span): void {
    if (this.#watchers === 0) return;
    this.#traced ??= new Map();
    if (this.#traced.size < mostTraced)
      this.#traced.set(event, { receipt, groups: 0, watchers: 0, frame: undefined });
  }

  /** Offers newly applied changes, in order, to the groups that they may concern. */
  offer(events: readonly CacheEvent[]): void {
    if (this.#watchers === 0) return;
    const failed: { readonly group: WatchGroup<GroupWatcher>; readonly thrown: unknown }[] = [];
    for (const event of events) {
      let isWanted = false;
      const traced = this.#traced?.get(event);
      const unprepared: WatchGroup<GroupWatcher>[] = [];
      this.#index.visit(event.object, event.previous, group => {
        if (group.mustPrepare(event)) {
          unprepared.push(group);
          return;
        }
        const isDirty = group.hasPending;
        try {
          const isOffered = group.offer(event, this.#frames);
          if (traced !== undefined && isOffered) noteFrame(traced, group.live.size);
        } catch (thrown) {
          failed.push({ group, thrown });
        }
        isWanted ||= group.hasPending;
        if (!isDirty && group.hasPending) this.#dirty.push(group);
      });
      this.#frames.next();
      if (traced !== undefined && traced.frame === undefined) this.#traced?.delete(event);
      // Live members must not receive unprepared objects: they catch up through the window, which preserves the order.
      for (const group of unprepared)
        this.#fallBack(group, group.hasPending ? group.revisionBeforePending : event.revision - 1);
      if (isWanted) this.#pendingSince.push(event.received);
    }
    for (const { group, thrown } of failed) this.#fail(group, thrown);
    if (this.#dirty.length === 0 || this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    this.#services.flushTurn.schedule(this);
  }

  /** Restarts parked watches; called after the replica has advanced. */
  review(): void {
    if (this.#parked.size === 0 || this.#replica.revision < this.#parkedUntil) return;
    const parked = [...this.#parked];
    this.#parked.clear();
    for (const watcher of parked) this.#start(watcher);
  }

  /** Restarts watches that wait for history; called after history was added or has ended. */
  reviewPast(): void {
    const waiting = [...this.#awaitingPast];
    this.#awaitingPast.clear();
    for (const watcher of waiting) this.#start(watcher);
  }

  flush(): void {
    this.#isFlushScheduled = false;
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const group of dirty) this.#flushGroup(group);
    if (this.#traced !== undefined) this.#endFrames(this.#traced);
    const { clock, metrics } = this.#services.environment;
    const now = clock.now();
    for (const received of this.#pendingSince) metrics.observe('written', Math.max(0, now - received) / 1000);
    this.#pendingSince.length = 0;
  }

  #endFrames(traced: ReadonlyMap<CacheEvent, TracedChange>): void {
    this.#traced = undefined;
    for (const { frame, groups, watchers } of traced.values()) {
      frame?.set({ resource: this.#replica.resourceName, groups, watchers });
      frame?.end();
    }
  }

  bookmark(watcher: GroupWatcher): void {
    const { group } = watcher;
    if (watcher.state === 'live') this.#flushGroup(group);
    // The flush may have ended the watch or made it catch up. A watch that has not started has no revision for a bookmark.
    if (watcher.state !== 'live' && watcher.state !== 'replaying') return;
    try {
      const frame = this.#frames.bookmark(group.encoding, watcher.revision);
      if (watcher.state === 'live') watcher.deliver(frame);
      else watcher.write(frame);
    } catch (thrown) {
      this.#fail(group, thrown);
    }
  }

  forget(watcher: GroupWatcher, was: WatcherState, reason: WatchEnd): void {
    const { group } = watcher;
    this.#watchers--;
    if (was === 'live') {
      this.#services.wheel.remove(watcher);
      group.live.remove(watcher);
      if (group.live.size === 0) this.#silence(group);
    } else {
      this.#parked.delete(watcher);
      this.#awaitingPast.delete(watcher);
      this.#catchingUp.delete(watcher);
      group.catchUp.leave();
    }
    if (group.isEmpty) this.#dissolve(group);
    if (reason === 'expired' || reason === 'slow') {
      this.#services.environment.metrics.count(reason, this.#replica.resourceName, 1);
    }
  }

  sinkFailed(thrown: unknown): void {
    const { log } = this.#services.environment;
    log.warn('a watch sink failed', { resource: this.#replica.resourceName, error: String(thrown) });
  }

  /** Ends every watch that has started; parked watches continue to wait. */
  endBegun(reason: WatchEnd): void {
    this.flush();
    for (const group of [...this.#groups.values()]) group.live.walk(watcher => watcher.end(reason));
    for (const watcher of [...this.#catchingUp]) watcher.end(reason);
  }

  /** Ends every watch after all applied changes were written. */
  endAll(reason: WatchEnd): void {
    this.endBegun(reason);
    for (const watcher of [...this.#parked, ...this.#awaitingPast]) watcher.end(reason);
  }

  /** Ends all watches that are not live, and every later watch. */
  endNew(): void {
    this.#isDraining = true;
    this.flush();
    for (const watcher of [...this.#parked, ...this.#awaitingPast, ...this.#catchingUp])
      watcher.end('stopping');
  }

  /** Ends the live watches at the given pace, each after a last bookmark, including watches that fall back meanwhile. */
  async drain(pace: DrainPace): Promise<void> {
    this.endNew();
    for (const group of [...this.#groups.values()]) {
      const members: GroupWatcher[] = [];
      group.live.walk(watcher => members.push(watcher));
      for (const watcher of members) {
        await pace.next();
        if (watcher.state === 'ended') continue;
        if (watcher.state === 'live' && watcher.wantsBookmarks) this.bookmark(watcher);
        watcher.end('stopping');
      }
    }
  }

  /** Drops unused initial states; called periodically. */
  tidy(now: number): void {
    const { version } = this.#replica.store;
    for (const group of this.#groups.values()) group.catchUp.expireState(version, now);
  }

  #groupFor(request: WatchRequest): WatchGroup<GroupWatcher> {
    const query = compileQuery(request);
    const id = `${JSON.stringify(request.encoding.id)}${query.id}`;
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const group = new WatchGroup<GroupWatcher>(id, {
      query,
      encoding: request.encoding,
      replayBytes: this.#services.limits.watchCacheReplayBytes,
    });
    this.#groups.set(id, group);
    return group;
  }

  #start(watcher: GroupWatcher): void {
    const { isListed, revision, historyEnd, awaitsHistory, window } = this.#replica;
    watcher.state = 'parked';
    if (this.#isDraining) {
      watcher.end('stopping');
    } else if (!isListed || (!watcher.isInitial && watcher.after < historyEnd)) {
      this.#park(watcher, 0);
    } else if (watcher.after > revision) {
      this.#park(watcher, watcher.after);
    } else if (watcher.isInitial) {
      watcher.state = 'initial';
      watcher.after = revision;
      this.#catchUp(watcher);
    } else if (watcher.after < window.oldestRevision) {
      if (awaitsHistory) this.#awaitingPast.add(watcher);
      else watcher.end('expired');
    } else if (watcher.after >= window.lastRevision) {
      this.#join(watcher);
    } else {
      watcher.state = 'replaying';
      this.#catchUp(watcher);
    }
  }

  #park(watcher: GroupWatcher, until: Revision): void {
    this.#parkedUntil = this.#parked.size === 0 ? until : Math.min(this.#parkedUntil, until);
    this.#parked.add(watcher);
  }

  #catchUp(watcher: GroupWatcher): void {
    const { environment, scheduler, budget, limits } = this.#services;
    const replica = this.#replica;
    const { clock } = environment;
    watcher.progressAt = clock.monotonic();
    this.#catchingUp.add(watcher);
    const join = (caughtUp: GroupWatcher) => this.#join(caughtUp);
    const resumeAfter = (ready: Promise<void>): void => {
      ready.then(
        () => scheduler.add(task),
        thrown => watcher.end('failed', thrown),
      );
    };
    const task: CatchUpTask = {
      step: (): CatchUpOutcome => {
        const shared = { replica, budget, now: clock.monotonic(), stallMs: limits.watchCacheStallTimeout };
        try {
          return catchUpStep(watcher, { ...shared, join, resumeAfter });
        } catch (thrown) {
          this.#fail(watcher.group, thrown);
          return 'done';
        }
      },
    };
    scheduler.add(task);
  }

  #join(watcher: GroupWatcher): void {
    const { group } = watcher;
    this.#flushGroup(group);
    if (watcher.state === 'ended') return; // Writing to others can lead to a close.
    this.#catchingUp.delete(watcher);
    watcher.state = 'live';
    if (group.live.size === 0) this.#index.add(group);
    group.live.add(watcher);
    group.catchUp.leave();
    if (watcher.wantsBookmarks) this.#services.wheel.add(watcher);
  }

  /**
   * Writes the pending frames of a group. A backlog after a stall of the feed would overflow every sink at once; instead the
   * members catch up on it, each at the speed of its client.
   */
  #flushGroup(group: WatchGroup<GroupWatcher>): void {
    if (group.pendingBytes <= this.#services.limits.watchCacheMaxBurstBytes) {
      group.flush(this.#reportDelivery);
      return;
    }
    this.#fallBack(group, group.revisionBeforePending);
  }

  /** Makes the live members of a group catch up from a revision and discards its pending frames. */
  #fallBack(group: WatchGroup<GroupWatcher>, after: Revision): void {
    group.live.walk(watcher => {
      this.#services.wheel.remove(watcher);
      group.catchUp.enter();
      group.live.remove(watcher);
      watcher.after = after;
      watcher.state = 'replaying';
      this.#catchUp(watcher);
    });
    this.#silence(group);
  }

  #reportDelivery = (bytes: number, times: number): void =>
    this.#services.environment.metrics.delivered(this.#replica.resourceName, bytes, times);

  /** Called when the last live member has left: changes are no longer encoded for the group. */
  #silence(group: WatchGroup<GroupWatcher>): void {
    this.#index.remove(group);
    group.discard();
  }

  #dissolve(group: WatchGroup<GroupWatcher>): void {
    group.catchUp.retire();
    this.#groups.delete(group.id);
  }

  /**
   * An event that cannot be encoded must not be skipped silently: the group's watches end with `expired` and clients start new
   * ones.
   */
  #fail(group: WatchGroup<GroupWatcher>, thrown: unknown): void {
    const { log } = this.#services.environment;
    log.error('cannot encode an object for watchers', {
      resource: this.#replica.resourceName,
      error: errorStack(thrown),
    });
    group.flush(this.#reportDelivery);
    group.live.walk(watcher => watcher.end('expired'));
    for (const watcher of [...this.#catchingUp]) if (watcher.group === group) watcher.end('expired');
  }
}

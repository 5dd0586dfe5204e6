import type { Revision } from '@binnacle/storage-contract';
import type { WatchEnd, Watcher, WatchRequest, WatchSink } from '../contract/contract.ts';
import type { InitialState } from './initial-state.ts';
import type { WatchGroup } from './watch-group.ts';

/**
 * State of a watch.
 *
 * parked: its start is not decided (the type is not listed, has not reached the revision, or lacks history). initial: it receives
 * the existing objects. replaying: it receives changes of the window. live: it is a live member of its group. ended: it has
 * ended.
 */
export type WatcherState = 'parked' | 'initial' | 'replaying' | 'live' | 'ended';

/** Services that a watcher needs of its owner. */
export interface WatcherOwner {
  /** The revision that live members without pending frames have reached. */
  readonly revision: Revision;
  /** Writes the pending frames of the watcher's group, then a bookmark to the watcher. */
  bookmark(watcher: GroupWatcher): void;
  /** Removes a watcher that has ended. */
  forget(watcher: GroupWatcher, was: WatcherState, reason: WatchEnd): void;
  sinkFailed(thrown: unknown): void;
}

/** One watch. */
export class GroupWatcher implements Watcher {
  readonly group: WatchGroup<GroupWatcher>;
  readonly sink: WatchSink;
  readonly wantsBookmarks: boolean;
  /** Whether a bookmark closes the initial events. */
  readonly closesInitial: boolean;
  state: WatcherState = 'parked';
  /** All matching changes up to this revision were written; in state `initial`, the minimum revision of the initial state. */
  after: Revision;
  /** Index among the live members, managed by `LiveMembers`. */
  place = -1;
  /** Slot of the bookmark wheel, managed by the wheel. */
  slot = -1;
  /** Progress through the existing objects. */
  initial: { readonly state: InitialState; chunk: number } | undefined;
  /** Time of the last accepted write while catching up. */
  progressAt = 0;
  readonly isInitial: boolean;
  readonly #owner: WatcherOwner;

  constructor(request: WatchRequest, group: WatchGroup<GroupWatcher>, owner: WatcherOwner) {
    this.group = group;
    this.sink = request.sink;
    this.wantsBookmarks = request.bookmarks;
    this.#owner = owner;
    const { start } = request;
    this.isInitial = 'initial' in start;
    this.closesInitial = 'initial' in start && start.bookmark;
    this.after = 'initial' in start ? (start.atLeast ?? 0) : start.after;
  }

  get revision(): Revision {
    switch (this.state) {
      case 'live':
        return this.group.hasPending ? this.group.revisionBeforePending : this.#owner.revision;
      case 'initial':
        return 0;
      default:
        return this.after;
    }
  }

  close(options?: { readonly bookmark: boolean }): void {
    if (this.state === 'ended') return;
    if (options?.bookmark === true && this.wantsBookmarks) this.writeBookmark();
    this.end('closed');
  }

  /** Starts the initial state. */
  enterInitial(state: InitialState): void {
    state.enter();
    this.initial = { state, chunk: 0 };
  }

  /** Finishes the initial state. */
  leaveInitial(): void {
    this.initial?.state.leave();
    this.initial = undefined;
  }

  /** Writes a bookmark at the current revision of the watch. */
  writeBookmark(): void {
    this.#owner.bookmark(this);
  }

  /** Writes to a live watch and ends it with `slow` if the sink is full. Returns whether the watch continues. */
  deliver(frames: Buffer): boolean {
    if (this.write(frames)) return true;
    this.end('slow');
    return false;
  }

  /** Writes frames and returns whether the sink has room for more. */
  write(frames: Buffer): boolean {
    if (this.state === 'ended') return false;
    try {
      return this.sink.write(frames);
    } catch (thrown) {
      this.#owner.sinkFailed(thrown);
      return false;
    }
  }

  /** Ends the watch; `failure` is the error of `failed`. Only the first call has an effect. */
  end(reason: WatchEnd, failure?: unknown): void {
    const was = this.state;
    if (was === 'ended') return;
    this.after = this.revision;
    this.state = 'ended';
    this.leaveInitial();
    this.#owner.forget(this, was, reason);
    try {
      this.sink.end(reason, failure);
    } catch (thrown) {
      this.#owner.sinkFailed(thrown);
    }
  }
}

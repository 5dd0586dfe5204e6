import type { Revision } from '@binnacle/storage-contract';
import type { WatchEnd, Watcher, WatchRequest, WatchSink } from '../contract/contract.ts';
import type { InitialState } from './initial-state.ts';
import type { WatchGroup } from './watch-group.ts';

/**
 * Where a watch is on its way.
 *
 * parked: its start is not decided (the type is not listed, or has not come to that revision). initial: it gets the
 * existing objects. replaying: it gets changes out of the window. live: it is a member of its group. ended: over.
 */
export type WatcherState = 'parked' | 'initial' | 'replaying' | 'live' | 'ended';

/** The owner of a watcher, as the watcher needs it. */
export interface WatcherOwner {
  /** The revision that live members without pending frames have come to. */
  readonly revision: Revision;
  /** Writes what waits for the watcher's group, then a bookmark to the watcher. */
  bookmark(watcher: GroupWatcher): void;
  /** Forgets a watcher that has ended. */
  forget(watcher: GroupWatcher, was: WatcherState, reason: WatchEnd): void;
  sinkFailed(thrown: unknown): void;
}

/** One watch. */
export class GroupWatcher implements Watcher {
  readonly group: WatchGroup<GroupWatcher>;
  readonly sink: WatchSink;
  readonly wantsBookmarks: boolean;
  /** Whether a bookmark closes the initial part. */
  readonly closesInitial: boolean;
  state: WatcherState = 'parked';
  /** Everything up to here was written or did not concern it; for `initial`, what the state must show at least. */
  after: Revision;
  /** Place among the live members, kept by them. */
  place = -1;
  /** Slot of the bookmark wheel, kept by it. */
  slot = -1;
  /** Its way through the existing objects. */
  initial: { readonly state: InitialState; chunk: number } | undefined;
  /** When it last took something while catching up. */
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

  /** Begins the existing objects. */
  enterInitial(state: InitialState): void {
    state.enter();
    this.initial = { state, chunk: 0 };
  }

  /** Has had the existing objects. */
  leaveInitial(): void {
    this.initial?.state.leave();
    this.initial = undefined;
  }

  /** Writes a bookmark at the revision that the watch has come to. */
  writeBookmark(): void {
    this.#owner.bookmark(this);
  }

  /** Writes to a watch that follows; one that does not take it is ended. Whether it goes on. */
  deliver(frames: Buffer): boolean {
    if (this.write(frames)) return true;
    this.end('slow');
    return false;
  }

  /** Writes, and tells whether the sink has room for more. */
  write(frames: Buffer): boolean {
    if (this.state === 'ended') return false;
    try {
      return this.sink.write(frames);
    } catch (thrown) {
      this.#owner.sinkFailed(thrown);
      return false;
    }
  }

  /** Ends the watch, `failed` because of something; only the first call counts. */
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

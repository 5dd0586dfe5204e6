import type { Revision } from '@binnacle/storage-contract';
import type { CachedObject, CacheEvent, WatchEncoding, WatchPreparation } from '../contract/contract.ts';
import type { EventWindow } from '../event-window/event-window.ts';
import type { CompiledQuery } from '../indexes/compiled-query.ts';
import { candidateObjects } from '../indexes/select-objects.ts';
import type { ChunkBudget } from './chunk-budget.ts';
import { InitialState } from './initial-state.ts';
import { watchedEventFrom } from './watched-event.ts';
import type { WatchedReplica } from './watched-replica.ts';

const stepBytes = 64 * 1024;
const stepEvents = 1000;
/** Number of events of a piece when objects must be prepared. */
const preparedEvents = 100;
const stepsKept = 64;
const betweenLargeStatesMs = 50;
const idleStateMs = 10_000;

/** A piece of the window as frames of a group. */
interface ReplayStep {
  /** Empty if the changes do not concern the group. */
  readonly frames: Buffer;
  /** The last revision of the piece, which is complete. */
  readonly upTo: Revision;
}

/** Data shared by the catching-up members of a group: encoded initial states and encoded past changes. */
export class GroupCatchUp {
  readonly #query: CompiledQuery;
  readonly #encoding: WatchEncoding;
  readonly #replayBytes: number;
  #members = 0;
  #state: InitialState | undefined;
  #stateMadeAt = 0;
  #stateUsedAt = 0;
  #replayed: Map<CacheEvent, Buffer | undefined> | undefined;
  #replayedBytes = 0;
  /** The most recently encoded pieces, by the revision that they follow. */
  #steps: Map<Revision, ReplayStep> | undefined;

  /** Keeps about `replayBytes` bytes of encoded past changes at most; the last change may exceed it. */
  constructor(query: CompiledQuery, encoding: WatchEncoding, replayBytes: number) {
    this.#query = query;
    this.#encoding = encoding;
    this.#replayBytes = replayBytes;
  }

  /** Number of members that wait or catch up. */
  get members(): number {
    return this.#members;
  }

  enter(): void {
    this.#members++;
  }

  leave(): void {
    this.#members--;
    if (this.#members > 0) return;
    this.#replayed = undefined;
    this.#replayedBytes = 0;
    this.#steps = undefined;
  }

  /**
   * Returns an initial state at or after a revision: the last one if it is recent enough, otherwise a new one. Undefined when a
   * large state was created less than 50 ms ago: the caller retries, and callers share the next state.
   */
  initialState(
    replica: WatchedReplica,
    atLeast: Revision,
    shared: { readonly budget: ChunkBudget; readonly now: number },
  ): InitialState | undefined {
    const { now } = shared;
    const last = this.#state;
    this.#stateUsedAt = now;
    if (last?.storeVersion === replica.store.version) {
      last.revision = replica.revision; // The type has not changed since.
      return last;
    }
    if (last !== undefined && last.revision >= atLeast) return last;
    if (last?.isLarge && now >= this.#stateMadeAt && now < this.#stateMadeAt + betweenLargeStatesMs) {
      return undefined;
    }
    last?.retire();
    const candidates = candidateObjects(replica.store, this.#query, replica.storagePrefix);
    const source = { candidates, query: this.#query, encoding: this.#encoding, budget: shared.budget };
    this.#state = new InitialState(source, replica.revision, replica.store.version);
    this.#stateMadeAt = now;
    return this.#state;
  }

  /** Drops a state that is outdated or has not been used for 10 s, unless a watch reads it. */
  expireState(storeVersion: number, now: number): void {
    if (this.#state === undefined || this.#state.readers > 0) return;
    const isStale = this.#state.storeVersion !== storeVersion;
    if (isStale || now > this.#stateUsedAt + idleStateMs) this.retire();
  }

  /** Drops the initial state. */
  retire(): void {
    this.#state?.retire();
    this.#state = undefined;
  }

  /** Prepares the piece of the window after a revision; undefined if the piece can be encoded already, at least partially. */
  prepareStep(window: EventWindow, after: Revision): Promise<void> | undefined {
    const { preparation } = this.#encoding;
    if (preparation === undefined || this.#steps?.has(after)) return undefined;
    const start = window.indexAfter(after);
    if (this.#readyEnd(window, start, preparation) > start) return undefined;
    const objects: CachedObject[] = [];
    for (let index = start; index < start + preparedEvents; index++) {
      const event = window.at(index);
      if (event === undefined) break;
      const watched = watchedEventFrom(event, this.#query.matches);
      if (watched !== undefined) objects.push(watched.object);
    }
    return preparation.prepare(objects);
  }

  /** Encodes a piece of the window after a revision, which must not be before its start. Watchers at the same position share it. */
  replayStep(window: EventWindow, after: Revision): ReplayStep {
    const known = this.#steps?.get(after);
    if (known !== undefined) return known;
    const step = this.#encodeStep(window, after);
    if (this.#members < 2 || step.upTo === after) return step;
    this.#steps ??= new Map();
    this.#steps.set(after, step);
    if (this.#steps.size > stepsKept) {
      const [oldest] = this.#steps.keys();
      if (oldest !== undefined) this.#steps.delete(oldest);
    }
    return step;
  }

  #encodeStep(window: EventWindow, after: Revision): ReplayStep {
    const frames: Buffer[] = [];
    let bytes = 0;
    let upTo = after;
    let index = window.indexAfter(after);
    const last = index + stepEvents;
    const { preparation } = this.#encoding;
    const end =
      preparation === undefined ? Number.POSITIVE_INFINITY : this.#readyEnd(window, index, preparation);
    for (let event = window.at(index); event !== undefined && index < end; event = window.at(++index)) {
      // A piece ends between revisions, because watches continue after the last complete revision.
      if (event.revision !== upTo && (bytes >= stepBytes || index >= last)) break;
      upTo = event.revision;
      const frame = this.#replayFrame(event);
      if (frame === undefined) continue;
      frames.push(frame);
      bytes += frame.length;
    }
    return { frames: Buffer.concat(frames, bytes), upTo };
  }

  /** Returns the end index of the prepared changes, between two revisions. */
  #readyEnd(window: EventWindow, start: number, preparation: WatchPreparation): number {
    let end = start;
    let revision: Revision = -1;
    for (let index = start; ; index++) {
      const event = window.at(index);
      if (event === undefined) return index;
      if (event.revision !== revision) {
        end = index;
        revision = event.revision;
        if (end >= start + preparedEvents) return end;
      }
      const watched = watchedEventFrom(event, this.#query.matches);
      if (watched !== undefined && !preparation.isReady(watched.object)) return end;
    }
  }

  /** Returns the frame of a past change; undefined if it does not concern the group. */
  #replayFrame(event: CacheEvent): Buffer | undefined {
    this.#replayed ??= new Map();
    if (this.#replayed.has(event)) return this.#replayed.get(event);
    const watched = watchedEventFrom(event, this.#query.matches);
    const frame = watched === undefined ? undefined : this.#encoding.event(watched);
    // A single member reads each change once: its frames are not kept.
    if (this.#members > 1 && this.#replayedBytes < this.#replayBytes) {
      this.#replayed.set(event, frame);
      this.#replayedBytes += frame?.length ?? 64;
    }
    return frame;
  }
}

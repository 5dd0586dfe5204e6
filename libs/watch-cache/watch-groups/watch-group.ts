import type { Revision } from '@binnacle/storage-contract';
import type { CacheEvent, WatchEncoding } from '../contract/contract.ts';
import type { CompiledQuery } from '../indexes/compiled-query.ts';
import { GroupCatchUp } from './group-catch-up.ts';
import { LiveMembers } from './live-members.ts';
import type { SharedFrames } from './shared-frames.ts';
import { watchedEventFrom } from './watched-event.ts';

const largestWrite = 256 * 1024;

/** The parts of a watch group. */
interface WatchGroupParts {
  readonly query: CompiledQuery;
  readonly encoding: WatchEncoding;
  /** Maximum bytes of encoded past changes kept while members catch up. */
  readonly replayBytes: number;
}

/** A watcher as member of its group. */
interface GroupMember {
  /** Index among the live members, managed by `LiveMembers`. */
  place: number;
  /** Writes to a live watch and ends it if the sink is full. Returns whether the watch continues. */
  deliver(frames: Buffer): boolean;
}

/**
 * Watchers of one type with equal queries and the same encoding.
 *
 * A change is encoded once and the same buffer is written to every live member; changes that arrive before the next flush are
 * joined to one buffer first. Catching-up members become live right after a flush, once they have seen all applied changes, so
 * that they receive nothing twice.
 */
export class WatchGroup<Member extends GroupMember> {
  readonly id: string;
  readonly query: CompiledQuery;
  readonly encoding: WatchEncoding;
  readonly live = new LiveMembers<Member>();
  readonly catchUp: GroupCatchUp;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #revisionBeforePending: Revision = 0;

  constructor(id: string, { query, encoding, replayBytes }: WatchGroupParts) {
    this.id = id;
    this.query = query;
    this.encoding = encoding;
    this.catchUp = new GroupCatchUp(query, encoding, replayBytes);
  }

  /** Whether frames wait for the next flush. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Bytes that wait for the next flush. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The revision that live members have reached while frames are pending. */
  get revisionBeforePending(): Revision {
    return this.#revisionBeforePending;
  }

  get isEmpty(): boolean {
    return this.live.size === 0 && this.catchUp.members === 0;
  }

  /** Whether live members must catch up instead, because the object of the change is not prepared. */
  mustPrepare(event: CacheEvent): boolean {
    const { preparation } = this.encoding;
    if (preparation === undefined) return false;
    const watched = watchedEventFrom(event, this.query.matches);
    return watched !== undefined && !preparation.isReady(watched.object);
  }

  /** Encodes a change for the next flush if it concerns the group; returns whether it does. */
  offer(event: CacheEvent, frames: SharedFrames): boolean {
    const watched = watchedEventFrom(event, this.query.matches);
    if (watched === undefined) return false;
    if (this.#pending.length === 0) this.#revisionBeforePending = event.revision - 1;
    const frame = frames.event(this.encoding, watched);
    this.#pending.push(frame);
    this.#pendingBytes += frame.length;
    return true;
  }

  /** Discards the pending frames. */
  discard(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** Writes the pending frames to every live member; `report` receives each event's bytes and number of members. */
  flush(report: (bytes: number, times: number) => void): void {
    const frames = this.#pending;
    if (frames.length === 0) return;
    this.discard();
    const { size } = this.live;
    for (const frame of frames) report(frame.length, size);
    const [first] = frames;
    if (frames.length === 1 && first !== undefined) this.live.walk(member => member.deliver(first));
    else {
      const buffers = joined(frames);
      this.live.walk(member => {
        for (const buffer of buffers) if (!member.deliver(buffer)) return;
      });
    }
  }
}

/** Joins frames to buffers of at most 256 KiB, unless a single frame is larger. */
function joined(frames: readonly Buffer[]): Buffer[] {
  const buffers: Buffer[] = [];
  let start = 0;
  let bytes = 0;
  frames.forEach((frame, i) => {
    if (bytes > 0 && bytes + frame.length > largestWrite) {
      buffers.push(Buffer.concat(frames.slice(start, i), bytes));
      start = i;
      bytes = 0;
    }
    bytes += frame.length;
  });
  buffers.push(Buffer.concat(frames.slice(start), bytes));
  return buffers;
}

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
  /** Bytes of encoded past changes that are kept while members catch up. */
  readonly replayBytes: number;
}

/** A watcher, as its group knows it. */
interface GroupMember {
  /** Its place among the live members, kept by them. */
  place: number;
  /** Writes to a watch that follows; one that does not accept it is ended. Whether it goes on. */
  deliver(frames: Buffer): boolean;
}

/**
 * Watchers of one type that ask for the same objects in the same encoding.
 *
 * A change is encoded once and the same buffer is written to every live member; changes that come before the next
 * flush are joined to one buffer first. Members that catch up are no part of this: they join when they have seen
 * everything that was applied, right after a flush, so that nothing reaches them twice.
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

  /** The revision that live members have come to while frames wait. */
  get revisionBeforePending(): Revision {
    return this.#revisionBeforePending;
  }

  get isEmpty(): boolean {
    return this.live.size === 0 && this.catchUp.members === 0;
  }

  /** Whether live members cannot take a change, because what they are to see of it is not ready. */
  mustPrepare(event: CacheEvent): boolean {
    const { preparation } = this.encoding;
    if (preparation === undefined) return false;
    const watched = watchedEventFrom(event, this.query.matches);
    return watched !== undefined && !preparation.isReady(watched.object);
  }

  /** Takes a change; it goes out with the next flush if it concerns the group. */
  offer(event: CacheEvent, frames: SharedFrames): void {
    const watched = watchedEventFrom(event, this.query.matches);
    if (watched === undefined) return;
    if (this.#pending.length === 0) this.#revisionBeforePending = event.revision - 1;
    const frame = frames.event(this.encoding, watched);
    this.#pending.push(frame);
    this.#pendingBytes += frame.length;
  }

  /** Lets go what waits for the next flush. */
  discard(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** Writes what waits to every live member; `report` hears of each event's bytes and how many members it goes to. */
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

/** Frames in as few buffers as make sense. */
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

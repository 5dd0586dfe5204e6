import type { Revision } from '@binnacle/storage-contract';
import type { CachedObject, CacheEvent } from '../contract/contract.ts';

/** How much a window holds. */
export interface EventWindowLimits {
  readonly milliseconds: number;
  readonly events: number;
  /** Of stored objects. */
  readonly bytes: number;
}

/**
 * The last changes of one type, in revision order.
 *
 * All changes after `oldestRevision` are in it. Changes leave it when they are too old or too many, oldest first.
 * Positions are revisions and not indexes, so that a reader who comes back later asks for what is after the last
 * revision that it has seen whole.
 */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  #events: CacheEvent[] = [];
  /** Events before it have left. */
  #head = 0;
  #bytes = 0;
  #oldestRevision: Revision;

  constructor(limits: EventWindowLimits, oldestRevision: Revision) {
    this.#limits = limits;
    this.#oldestRevision = oldestRevision;
  }

  /** Changes after this revision are all here. */
  get oldestRevision(): Revision {
    return this.#oldestRevision;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The revision of the last change; `oldestRevision` when there is none. */
  get lastRevision(): Revision {
    return this.#events.at(-1)?.revision ?? this.#oldestRevision;
  }

  /** Tells an empty window that it reaches further back. */
  extendBack(oldestRevision: Revision): void {
    if (this.size === 0) this.#oldestRevision = Math.min(this.#oldestRevision, oldestRevision);
  }

  append(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += event.object.stored.length;
    while (this.size > this.#limits.events || this.#bytes > this.#limits.bytes) this.#removeOldest();
  }

  /**
   * Puts earlier changes before its own: all those after a revision. Gives whether there was room for all of them; the oldest
   * are left out where there is not.
   */
  prepend(events: readonly CacheEvent[], after: Revision): boolean {
    let first = events.length;
    while (first > 0 && this.size + events.length - first < this.#limits.events) {
      const { length } = events[first - 1]!.object.stored; // Within bounds.
      if (this.#bytes + length > this.#limits.bytes) break;
      this.#bytes += length;
      first--;
    }
    this.#events = events.slice(first).concat(this.#events.slice(this.#head));
    this.#head = 0;
    this.#oldestRevision = events[first - 1]?.revision ?? after;
    return first === 0;
  }

  /** Lets go what is older than the window. */
  evict(now: number): void {
    const limit = now - this.#limits.milliseconds;
    while (this.#head < this.#events.length && this.#events[this.#head]!.received < limit) {
      this.#removeOldest();
    }
  }

  /** How to read on after a revision, which must not be before `oldestRevision`: an index for `at`. */
  indexAfter(revision: Revision): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision)
        low = middle + 1; // Within bounds.
      else high = middle;
    }
    return low;
  }

  /** The event at an index, undefined after the last one. Indexes hold until the next append or eviction. */
  at(index: number): CacheEvent | undefined {
    return this.#events[index];
  }

  /**
   * The versions that objects had at a revision, by key, of those that have changed since; undefined: an object was not there. Without
   * an answer where changes since then are not here, are more than `most`, or came from a state whose revision is not known.
   */
  versionsAt(revision: Revision, most: number): ReadonlyMap<string, CachedObject | undefined> | undefined {
    if (revision < this.#oldestRevision) return undefined;
    const first = this.indexAfter(revision);
    if (this.#events.length - first > most) return undefined;
    const versions = new Map<string, CachedObject | undefined>();
    for (let index = first; index < this.#events.length; index++) {
      const { type, object, previous } = this.#events[index]!; // Within bounds.
      // The first change after the revision tells what was there before it.
      if (versions.has(object.key)) continue;
      const version = type === 'DELETED' ? object : previous;
      if (version?.revision === 0) return undefined;
      versions.set(object.key, version);
    }
    return versions;
  }

  #removeOldest(): void {
    const event = this.#events[this.#head];
    if (event === undefined) return;
    this.#bytes -= event.object.stored.length;
    this.#oldestRevision = event.revision;
    this.#head++;
    // Holds on to what has left until half of the array is unused: one copy of references for many removals.
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    } else if (this.#head === this.#events.length) {
      this.#events = [];
      this.#head = 0;
    }
  }
}

import type { Revision } from '@binnacle/storage-contract';
import type { CachedObject, CacheEvent } from '../contract/contract.ts';

/** Limits of an event window. */
export interface EventWindowLimits {
  readonly milliseconds: number;
  readonly events: number;
  /** Bytes of stored objects. */
  readonly bytes: number;
}

/**
 * The last changes of one type, in revision order.
 *
 * The window contains all changes after `oldestRevision`. Changes that exceed the limits are evicted, oldest first. A position is
 * a revision, not an index: a reader continues after the last revision that it has read completely.
 */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  #events: CacheEvent[] = [];
  /** Index of the first event that is not evicted. */
  #head = 0;
  #bytes = 0;
  #oldestRevision: Revision;

  constructor(limits: EventWindowLimits, oldestRevision: Revision) {
    this.#limits = limits;
    this.#oldestRevision = oldestRevision;
  }

  /** The window contains all changes after this revision. */
  get oldestRevision(): Revision {
    return this.#oldestRevision;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Revision of the last change; `oldestRevision` if the window is empty. */
  get lastRevision(): Revision {
    return this.#events.at(-1)?.revision ?? this.#oldestRevision;
  }

  /** Lowers `oldestRevision` of an empty window. */
  extendBack(oldestRevision: Revision): void {
    if (this.size === 0) this.#oldestRevision = Math.min(this.#oldestRevision, oldestRevision);
  }

  append(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += event.object.stored.length;
    while (this.size > this.#limits.events || this.#bytes > this.#limits.bytes) this.#removeOldest();
  }

  /**
   * Inserts all changes between a revision and the start of the window before its own. Returns whether all of them fitted; if
   * not, the oldest are dropped.
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

  /** Evicts events that are older than the window. */
  evict(now: number): void {
    const limit = now - this.#limits.milliseconds;
    while (this.#head < this.#events.length && this.#events[this.#head]!.received < limit) {
      this.#removeOldest();
    }
  }

  /** Returns the index, for `at`, of the first event after a revision, which must not be before `oldestRevision`. */
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

  /** Returns the event at an index, undefined past the end. Indexes are valid until the next append or eviction. */
  at(index: number): CacheEvent | undefined {
    return this.#events[index];
  }

  /**
   * Returns, by key, the version at a revision of each object that has changed since; undefined for an object that did not exist.
   * The result is undefined when the window does not contain all changes since, when there are more than `most`, or when a
   * version's revision is unknown.
   */
  versionsAt(revision: Revision, most: number): ReadonlyMap<string, CachedObject | undefined> | undefined {
    if (revision < this.#oldestRevision) return undefined;
    const first = this.indexAfter(revision);
    if (this.#events.length - first > most) return undefined;
    const versions = new Map<string, CachedObject | undefined>();
    for (let index = first; index < this.#events.length; index++) {
      const { type, object, previous } = this.#events[index]!; // Within bounds.
      // The first change after the revision determines the version before it.
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
    // Keeps evicted events until they fill half of the array: one copy of references for many removals.
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    } else if (this.#head === this.#events.length) {
      this.#events = [];
      this.#head = 0;
    }
  }
}

import type { LabelRequirement } from '@binnacle/api-objects';
import { runAtOnce, runInSlices, type SliceQueue, sharedSlices } from '@binnacle/event-loop';
import { LabelIndex } from './label-index.ts';
import type { KeyRange } from './sorted-keys.ts';
import { storedLabelName } from './stored-labels.ts';
import { haveSameLabels, type StoredObject } from './stored-object.ts';

/** Maximum number of indexed labels of a type. */
const mostIndexes = 16;
/** Maximum number of labels whose searches are counted. */
const mostCounted = 64;
/** Number of objects that searches must examine before an index is built. */
const leastLookedAt = 4096;
/** Time in ms without a search after which an index is dropped. */
const idleMs = 600_000;
/** Number of objects added to a new index in one step. */
const objectsAStep = 128;
/** Number of objects that a search may add to an index at once, which blocks the event loop for up to 40 ms. */
const mostAtOnce = 65_536;

interface Entry {
  readonly index: LabelIndex;
  /** Adds all objects, in steps. */
  readonly filling: Generator<void, void>;
  /** Whether the index contains every object. */
  isComplete: boolean;
  wasUsed: boolean;
  usedAt: number | undefined;
}

/** Objects that an index found for one requirement of a selector. */
interface IndexedObjects {
  readonly requirement: LabelRequirement;
  readonly size: number;
  /** Sorted. */
  keys(): readonly string[];
}

/** The objects that a search examines without an index. */
interface SearchedObjects {
  /** Undefined: all namespaces. */
  readonly range: KeyRange | undefined;
  readonly size: number;
}

/** The indexed objects. */
interface IndexedStore {
  readonly size: number;
  /** Increases with every change. */
  readonly version: number;
  /** All objects in key order; later changes do not modify the array. */
  all(): readonly StoredObject[];
  get(key: string): StoredObject | undefined;
}

/**
 * Indexes of the labels that selectors use.
 *
 * A label is indexed once searches for it have examined as many objects as the store has: building the index costs about as much
 * again, so a sequence of searches costs at most about twice the optimum. A search that would examine at least half of the
 * objects builds the index immediately and uses it, since that costs about as much as examining their labels. For smaller
 * searches, and in stores with more than 65,536 objects, the index is built in time slices and used once complete. At most 16
 * labels are indexed; the least recently used index is dropped first, and indexes without a search for 10 minutes are dropped.
 *
 * An index contains keys of objects, not versions: a change that leaves the labels unchanged costs one comparison of bytes.
 */
export class LabelIndexes {
  readonly #store: IndexedStore;
  readonly #slices: SliceQueue;
  /** In order of last use, the most recent last. */
  readonly #entries = new Map<string, Entry>();
  /** Number of objects examined by searches without an index, by label, the most recently searched last. */
  readonly #lookedAt = new Map<string, number>();

  constructor(store: IndexedStore, slices: SliceQueue = sharedSlices) {
    this.#store = store;
    this.#slices = slices;
  }

  /** Labels with a complete index. */
  get indexed(): readonly string[] {
    return [...this.#entries].filter(([, { isComplete }]) => isComplete).map(([label]) => label);
  }

  /** Applies the replacement of an object version; undefined: no version. */
  replace(previous: StoredObject | undefined, object: StoredObject | undefined): void {
    const key = object?.key ?? previous?.key;
    if (this.#entries.size === 0 || key === undefined) return;
    if (previous !== undefined && object !== undefined && haveSameLabels(previous, object)) return;
    const before = previous?.readLabels();
    const after = object?.readLabels();
    for (const [label, { index }] of this.#entries)
      index.change(key, valueIn(before, label), valueIn(after, label));
  }

  /**
   * Returns the result of the index that finds the fewest objects; undefined if none of the labels is indexed. Counts the search,
   * and builds the indexes that have become worthwhile.
   */
  find(
    equalities: readonly LabelRequirement[],
    { range, size }: SearchedObjects,
  ): IndexedObjects | undefined {
    const found = this.#findSmallest(equalities, range);
    const hasMore = this.#count(equalities, Math.min(size, found?.size ?? size));
    return hasMore ? this.#findSmallest(equalities, range) : found;
  }

  #findSmallest(
    equalities: readonly LabelRequirement[],
    range: KeyRange | undefined,
  ): IndexedObjects | undefined {
    let best: IndexedObjects | undefined;
    for (const requirement of equalities) {
      const { key: label, values } = requirement;
      const entry = this.#entries.get(label);
      if (entry === undefined) continue;
      entry.wasUsed = true;
      moveToEnd(this.#entries, label, entry);
      if (!entry.isComplete) continue;
      const { index } = entry;
      const size = index.count(values, range);
      if (best !== undefined && best.size <= size) continue;
      best = { requirement, size, keys: () => index.keys(values, range) };
    }
    return best;
  }

  /** Counts a search that examines `count` objects. Returns whether it has completed an index of one of the labels. */
  #count(equalities: readonly LabelRequirement[], count: number): boolean {
    for (const { key: label } of equalities) {
      const existing = this.#entries.get(label);
      const entry = existing ?? this.#createIfWorth(label, count);
      if (entry === undefined || entry.isComplete) continue;
      if (looksAtMost(count, this.#store.size) && this.#store.size <= mostAtOnce) {
        // Also completes an index that is being filled in slices; those then have nothing left to do.
        runAtOnce(entry.filling);
        return true;
      }
      // Does not reject: reading labels of stored objects cannot fail.
      if (existing === undefined) void runInSlices(entry.filling, this.#slices);
    }
    return false;
  }

  /** Drops indexes without a search for 10 minutes; called periodically. */
  tidy(now: number): void {
    for (const [label, entry] of this.#entries) {
      if (entry.wasUsed || entry.usedAt === undefined) entry.usedAt = now;
      else if (now - entry.usedAt > idleMs) this.#entries.delete(label);
      entry.wasUsed = false;
    }
  }

  /** Creates an unfilled entry if the index is worthwhile after a search of `count` objects. */
  #createIfWorth(label: string, count: number): Entry | undefined {
    const sum = (this.#lookedAt.get(label) ?? 0) + count;
    const { size } = this.#store;
    if (sum < leastLookedAt || (sum < size && !looksAtMost(count, size))) {
      moveToEnd(this.#lookedAt, label, sum);
      dropOldest(this.#lookedAt, mostCounted);
      return undefined;
    }
    const entry: Entry = {
      index: new LabelIndex(),
      filling: this.#fill(label),
      isComplete: false,
      wasUsed: true,
      usedAt: undefined,
    };
    this.#entries.set(label, entry);
    this.#lookedAt.delete(label);
    dropOldest(this.#entries, mostIndexes);
    return entry;
  }

  /** Adds all objects. Concurrent changes are applied to the index too: each object is added in its current version. */
  *#fill(label: string): Generator<void, void> {
    const entry = this.#entries.get(label);
    if (entry === undefined) return;
    const { index } = entry;
    const name = storedLabelName(label);
    const { version } = this.#store;
    let added = 0;
    for (const listed of this.#store.all()) {
      const { key } = listed;
      if (this.#store.version === version) {
        const value = listed.readLabel(name);
        if (value !== undefined) index.append(key, value);
      } else index.change(key, undefined, this.#store.get(key)?.readLabel(name));
      if (++added % objectsAStep !== 0) continue;
      yield;
      if (this.#entries.get(label) !== entry) return; // Dropped meanwhile.
    }
    entry.isComplete = true;
  }
}

/** Whether a search examines so many objects that indexing all of them costs at most twice as much. */
function looksAtMost(count: number, size: number): boolean {
  return count * 2 >= size;
}

function valueIn(labels: Readonly<Record<string, string>> | undefined, label: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
}

function moveToEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

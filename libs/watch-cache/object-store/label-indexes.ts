import type { LabelRequirement } from '@binnacle/api-objects';
import { runAtOnce, runInSlices, type SliceQueue, sharedSlices } from '@binnacle/event-loop';
import { LabelIndex } from './label-index.ts';
import type { KeyRange } from './sorted-keys.ts';
import { storedLabelName } from './stored-labels.ts';
import { haveSameLabels, type StoredObject } from './stored-object.ts';

/** Labels of a type that have an index at a time. */
const mostIndexes = 16;
/** Labels whose searches are counted. */
const mostCounted = 64;
/** An index is made for searches of at least so many objects. */
const leastLookedAt = 4096;
/** Without a search for so long an index is dropped. */
const idleMs = 600_000;
/** Objects that are added to a new index in one step. */
const objectsAStep = 128;
/** Objects that a search may put into an index at once: it holds the event loop for up to 40 ms. */
const mostAtOnce = 65_536;

interface Entry {
  readonly index: LabelIndex;
  /** Adds every object, in steps. */
  readonly filling: Generator<void, void>;
  /** Whether every object is in it. */
  isComplete: boolean;
  wasUsed: boolean;
  usedAt: number | undefined;
}

/** Objects that an index has found for one requirement of a selector. */
interface IndexedObjects {
  readonly requirement: LabelRequirement;
  readonly size: number;
  /** In order. */
  keys(): readonly string[];
}

/** The objects that a search has to look at without an index. */
interface SearchedObjects {
  /** Undefined: those of all namespaces. */
  readonly range: KeyRange | undefined;
  readonly size: number;
}

/** The objects that are indexed. */
interface IndexedStore {
  readonly size: number;
  /** Grows with every change. */
  readonly version: number;
  /** All objects in the order of keys, in an array that stays as it is. */
  all(): readonly StoredObject[];
  get(key: string): StoredObject | undefined;
}

/**
 * Indexes of the labels that selectors ask for.
 *
 * A label gets one when searches for it have looked at as many objects as there are: to make it costs about as much again, so
 * no sequence of searches costs more than about twice what it would with the best choice. A search that would look at half of the objects
 * or more makes the index itself, and is answered from it: that costs about as much as to look at their labels. For searches of
 * fewer objects, and in stores of very many, it is made in slices, and used when it is complete. The labels that were asked for longest ago lose theirs where there
 * are too many, and all do after some minutes without a search.
 *
 * An index has the keys of objects, not their versions: a change that leaves the labels as they were costs a comparison of bytes.
 */
export class LabelIndexes {
  readonly #store: IndexedStore;
  readonly #slices: SliceQueue;
  /** The label that was asked for last comes last. */
  readonly #entries = new Map<string, Entry>();
  /** Objects that searches without an index have looked at, by label; the one that was asked for last comes last. */
  readonly #lookedAt = new Map<string, number>();

  constructor(store: IndexedStore, slices: SliceQueue = sharedSlices) {
    this.#store = store;
    this.#slices = slices;
  }

  /** The labels that have an index, complete. */
  get indexed(): readonly string[] {
    return [...this.#entries].filter(([, { isComplete }]) => isComplete).map(([label]) => label);
  }

  /** Applies a change: a version of an object is replaced by the next one; undefined where there is none. */
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
   * The result of the index that finds the fewest objects; undefined where none of the labels has an index. Counts the search, and
   * makes the indexes that are worth it by now.
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

  /** Counts a search that has to look at so many objects. Whether one more of the labels has an index now, complete. */
  #count(equalities: readonly LabelRequirement[], count: number): boolean {
    for (const { key: label } of equalities) {
      const existing = this.#entries.get(label);
      const entry = existing ?? this.#createIfWorth(label, count);
      if (entry === undefined || entry.isComplete) continue;
      if (looksAtMost(count, this.#store.size) && this.#store.size <= mostAtOnce) {
        // Also where it is being filled in slices, which then find nothing left to do.
        runAtOnce(entry.filling);
        return true;
      }
      // Does not reject: reading labels of stored objects does not fail.
      if (existing === undefined) void runInSlices(entry.filling, this.#slices);
    }
    return false;
  }

  /** Drops the indexes without a search for some minutes; called now and then. */
  tidy(now: number): void {
    for (const [label, entry] of this.#entries) {
      if (entry.wasUsed || entry.usedAt === undefined) entry.usedAt = now;
      else if (now - entry.usedAt > idleMs) this.#entries.delete(label);
      entry.wasUsed = false;
    }
  }

  /** The entry of an index that is worth it after a search of so many objects, not filled yet. */
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

  /** Adds what there is. Changes that come meanwhile go to the index too: an object is added as it is when its turn comes. */
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

/** Whether a search looks at so many of the objects that to put all of them into an index costs at most twice as much. */
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

import type { LabelRequirement } from '@binnacle/api-objects';
import { runInSlices, type SliceQueue, sharedSlices } from '@binnacle/event-loop';
import { LabelIndex } from './label-index.ts';
import type { KeyRange } from './sorted-keys.ts';
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

interface Entry {
  readonly index: LabelIndex;
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

/** The objects that are indexed. */
interface IndexedStore {
  readonly size: number;
  /** All objects in the order of keys, in an array that stays as it is. */
  all(): readonly StoredObject[];
  get(key: string): StoredObject | undefined;
}

/**
 * Indexes of the labels that selectors ask for.
 *
 * A label gets one when searches for it have looked at as many objects as there are: to make it costs about as much again, so
 * a selector that is used once makes none, and no sequence of searches costs more than about twice what it would with the best
 * choice. It is made in slices, and used when it is complete. The labels that were asked for longest ago lose theirs where there
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
    for (const { index } of this.#entries.values()) index.change(key, before, after);
  }

  /** The result of the index that finds the fewest objects; undefined where none of the labels has an index. */
  find(equalities: readonly LabelRequirement[], range: KeyRange | undefined): IndexedObjects | undefined {
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

  /** Counts a search that had to look at so many objects, and makes the indexes that are worth it by now. */
  lookedAt(equalities: readonly LabelRequirement[], count: number): void {
    for (const { key: label } of equalities) {
      if (this.#entries.has(label)) continue;
      const sum = (this.#lookedAt.get(label) ?? 0) + count;
      if (sum >= Math.max(this.#store.size, leastLookedAt)) this.#create(label);
      else {
        moveToEnd(this.#lookedAt, label, sum);
        dropOldest(this.#lookedAt, mostCounted);
      }
    }
  }

  /** Drops the indexes without a search for some minutes; called now and then. */
  tidy(now: number): void {
    for (const [label, entry] of this.#entries) {
      if (entry.wasUsed || entry.usedAt === undefined) entry.usedAt = now;
      else if (now - entry.usedAt > idleMs) this.#entries.delete(label);
      entry.wasUsed = false;
    }
  }

  #create(label: string): void {
    const entry: Entry = {
      index: new LabelIndex(label),
      isComplete: false,
      wasUsed: true,
      usedAt: undefined,
    };
    this.#entries.set(label, entry);
    this.#lookedAt.delete(label);
    dropOldest(this.#entries, mostIndexes);
    void runInSlices(this.#fill(label, entry), this.#slices); // Does not reject: reading labels of stored objects does not fail.
  }

  /** Adds what there is. Changes that come meanwhile go to the index too: an object is added as it is when its turn comes. */
  *#fill(label: string, entry: Entry): Generator<void, void> {
    let added = 0;
    for (const { key } of this.#store.all()) {
      const object = this.#store.get(key);
      if (object !== undefined) entry.index.change(key, undefined, object.readLabels());
      if (++added % objectsAStep !== 0) continue;
      yield;
      if (this.#entries.get(label) !== entry) return; // Dropped meanwhile.
    }
    entry.isComplete = true;
  }
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

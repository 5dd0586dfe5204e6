import type { JsonValue } from '@binnacle/api-objects';
import type { PathElement } from '../field-sets/path-element.ts';
import type { ListSchema } from '../schemas/typed-schema.ts';
import { isItemProblem, itemElement } from './list-items.ts';

/** Context of merging two lists. */
interface MergeItemsOptions {
  readonly list: ListSchema;
  readonly mergeItem: (live: JsonValue, applied: JsonValue) => JsonValue;
}

/**
 * Merges the elements of an applied list into the live list. Elements of both lists are in the order of the applied list; other
 * elements keep their place among their neighbours. A duplicate element of the live list is replaced by the applied one. Elements
 * without a key, which no valid list has, are dropped.
 */
export function mergeItems(
  live: readonly JsonValue[],
  applied: readonly JsonValue[],
  options: MergeItemsOptions,
): JsonValue[] {
  const { list, mergeItem } = options;
  if (sameElements(live, applied, list)) return live.map((item, i) => mergeItem(item, applied[i]!));
  return new ListMerge(identify(live, list), identify(applied, list), options).run();
}

interface IdentifiedList {
  readonly elements: readonly PathElement[];
  readonly items: readonly JsonValue[];
  /** Null for a duplicate element. */
  readonly byElement: ReadonlyMap<PathElement, JsonValue>;
}

function identify(items: readonly JsonValue[], list: ListSchema): IdentifiedList {
  const elements: PathElement[] = [];
  const kept: JsonValue[] = [];
  const byElement = new Map<PathElement, JsonValue>();
  for (const item of items) {
    const element = itemElement(item, list);
    if (isItemProblem(element)) continue;
    elements.push(element);
    kept.push(item);
    byElement.set(element, byElement.has(element) ? null : item);
  }
  return { elements, items: kept, byElement };
}

/** The usual case. A valid applied list has no duplicates, and then neither has an equal live list. */
function sameElements(a: readonly JsonValue[], b: readonly JsonValue[], list: ListSchema): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const element = itemElement(a[i]!, list);
    if (isItemProblem(element) || element !== itemElement(b[i]!, list)) return false;
  }
  return true;
}

/** A single pass over both lists that visits each element once. */
class ListMerge {
  readonly #live: IdentifiedList;
  readonly #applied: IdentifiedList;
  readonly #options: MergeItemsOptions;
  /** The elements of both lists in the order of the applied list. */
  readonly #shared: readonly PathElement[];
  #nextShared = 0;
  #liveAt = 0;
  #appliedAt = 0;
  readonly #taken = new Set<PathElement>();
  readonly #merged: JsonValue[] = [];

  constructor(live: IdentifiedList, applied: IdentifiedList, options: MergeItemsOptions) {
    this.#live = live;
    this.#applied = applied;
    this.#options = options;
    this.#shared = applied.elements.filter(element => live.byElement.has(element));
  }

  run(): JsonValue[] {
    const { elements: ours } = this.#live;
    const { elements: theirs, byElement } = this.#applied;
    while (this.#liveAt < ours.length || this.#appliedAt < theirs.length) {
      const element = ours[this.#liveAt];
      if (element === undefined) this.#takeApplied();
      else if (byElement.has(element)) this.#visitShared(element);
      else this.#merged.push(this.#live.items[this.#liveAt++]!);
    }
    return this.#merged;
  }

  /** Shared elements are in the order of the applied list, regardless of their positions in the live list. */
  #visitShared(element: PathElement): void {
    const next = this.#applied.elements[this.#appliedAt];
    const due = this.#shared[this.#nextShared];
    if (next === element) {
      this.#liveAt++;
      this.#takeApplied();
    } else if (next !== undefined && due !== undefined && due !== element) {
      this.#liveAt++;
    } else {
      if (this.#taken.has(element)) this.#liveAt++;
      if (next !== undefined) this.#takeApplied();
    }
  }

  #takeApplied(): void {
    const element = this.#applied.elements[this.#appliedAt]!; // Only called while there is one.
    const item = this.#applied.items[this.#appliedAt]!;
    const old = this.#live.byElement.get(element);
    this.#merged.push(old === undefined || old === null ? item : this.#options.mergeItem(old, item));
    this.#taken.add(element);
    if (this.#shared[this.#nextShared] === element) this.#nextShared++;
    this.#appliedAt++;
  }
}

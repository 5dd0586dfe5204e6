import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { patchRejected } from './patch-error.ts';

/** The identity of an element of a merged list; two elements are the same exactly when their identities are equal map keys. */
export type Identity = string | number | bigint | boolean | null;

/**
 * Returns the identity of an element: the value of the merge key, or the scalar itself. Throws Invalid if the merge key is
 * missing.
 */
export function identityFromItem(item: JsonValue, mergeKey: string | undefined): Identity {
  if (mergeKey === undefined) return identityOfValue(item);
  const key = isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
  if (key === undefined)
    throw patchRejected(`an element of a list does not contain declared merge key: ${mergeKey}`);
  return identityOfValue(key);
}

function identityOfValue(value: JsonValue): Identity {
  // Merge keys are scalars, but a patch may contain a container; the prefix distinguishes it from strings.
  return typeof value === 'object' && value !== null ? `\u0000${JSON.stringify(value)}` : value;
}

/** The lists that determine the order of a merged list. */
interface OrderSources {
  /** The order that the patch requests. */
  readonly wanted: readonly JsonValue[];
  /** The order before the patch. */
  readonly current: readonly JsonValue[];
  readonly mergeKey: string | undefined;
}

/**
 * Orders a merged list: elements named by the patch in its order, the others in their current order. When interleaving, an
 * element that preceded another one still precedes it; new elements come first.
 */
export function orderElements(merged: readonly JsonValue[], sources: OrderSources): JsonValue[] {
  const { mergeKey } = sources;
  const wanted = positions(sources.wanted, mergeKey);
  const current = positions(sources.current, mergeKey);
  const placed = merged.map(item => {
    const identity = identityFromItem(item, mergeKey);
    return { item, wanted: wanted.get(identity), current: current.get(identity) };
  });
  const named = placed.filter(place => place.wanted !== undefined).sort(byPosition('wanted'));
  const others = placed.filter(place => place.wanted === undefined).sort(byPosition('current'));
  const ordered: JsonValue[] = [];
  let next = 0;
  for (const { item, current: limit } of named) {
    while (next < others.length && isBefore(others[next]!.current, limit)) ordered.push(others[next++]!.item);
    ordered.push(item);
  }
  for (; next < others.length; next++) ordered.push(others[next]!.item);
  return ordered;
}

/** Throws if the list of a patch is not in the order that the patch requests. */
export function assertSameOrder(
  items: readonly JsonValue[],
  wanted: readonly JsonValue[],
  mergeKey: string | undefined,
): void {
  const rank = positions(wanted, mergeKey);
  let last = -1;
  for (const item of items) {
    const position = rank.get(identityFromItem(item, mergeKey));
    if (position === undefined || position < last) {
      throw patchRejected("the order of a list in the patch doesn't match its $setElementOrder list");
    }
    last = position;
  }
}

interface Place {
  readonly wanted: number | undefined;
  readonly current: number | undefined;
}

/** Sorts elements without a position last, in their given order. */
function byPosition(which: keyof Place): (a: Place, b: Place) => number {
  const last = Number.MAX_SAFE_INTEGER;
  return (a, b) => (a[which] ?? last) - (b[which] ?? last);
}

function positions(items: readonly JsonValue[], mergeKey: string | undefined): Map<Identity, number> {
  const rank = new Map<Identity, number>();
  items.forEach((item, position) => {
    const identity = identityFromItem(item, mergeKey);
    if (!rank.has(identity)) rank.set(identity, position);
  });
  return rank;
}

function isBefore(position: number | undefined, limit: number | undefined): boolean {
  return position !== undefined && limit !== undefined && position < limit;
}

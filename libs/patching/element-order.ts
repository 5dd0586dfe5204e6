import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { patchRejected } from './patch-error.ts';

/** What tells the elements of a merged list apart: the value of the merge key, or the scalar itself. */
export function identityOf(item: JsonValue, mergeKey: string | undefined): string {
  if (mergeKey === undefined) return JSON.stringify(item);
  const key = isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
  if (key === undefined)
    throw patchRejected(`an element of a list does not contain declared merge key: ${mergeKey}`);
  return JSON.stringify(key);
}

/** The lists that decide the order of a merged list. */
export interface OrderSources {
  /** The order that the patch asks for. */
  readonly wanted: readonly JsonValue[];
  /** The order before the patch. */
  readonly current: readonly JsonValue[];
  readonly mergeKey: string | undefined;
}

/**
 * Orders a merged list: elements that the patch names come in its order, the others in theirs. Where both meet,
 * one that stood before the other stays before it, and new ones come first.
 */
export function orderElements(merged: readonly JsonValue[], sources: OrderSources): JsonValue[] {
  const { mergeKey } = sources;
  const wanted = positions(sources.wanted, mergeKey);
  const current = positions(sources.current, mergeKey);
  const identified = merged.map(item => ({ item, identity: identityOf(item, mergeKey) }));
  const named = sortBy(
    identified.filter(({ identity }) => wanted.has(identity)),
    wanted,
  );
  const others = sortBy(
    identified.filter(({ identity }) => !wanted.has(identity)),
    current,
  );
  const ordered: JsonValue[] = [];
  let next = 0;
  for (const { item, identity } of named) {
    const limit = current.get(identity);
    while (
      next < others.length &&
      limit !== undefined &&
      isBefore(current.get(others[next]!.identity), limit)
    ) {
      ordered.push(others[next++]!.item);
    }
    ordered.push(item);
  }
  for (; next < others.length; next++) ordered.push(others[next]!.item);
  return ordered;
}

/** Refuses a patch whose list is in another order than the one it asks for. */
export function assertSameOrder(
  items: readonly JsonValue[],
  wanted: readonly JsonValue[],
  mergeKey: string | undefined,
): void {
  const rank = positions(wanted, mergeKey);
  let last = -1;
  for (const item of items) {
    const position = rank.get(identityOf(item, mergeKey));
    if (position === undefined || position < last) {
      throw patchRejected("the order of a list in the patch doesn't match its $setElementOrder list");
    }
    last = position;
  }
}

interface Identified {
  readonly item: JsonValue;
  readonly identity: string;
}

function positions(items: readonly JsonValue[], mergeKey: string | undefined): Map<string, number> {
  const rank = new Map<string, number>();
  items.forEach((item, position) => {
    const identity = identityOf(item, mergeKey);
    if (!rank.has(identity)) rank.set(identity, position);
  });
  return rank;
}

function sortBy(items: readonly Identified[], rank: ReadonlyMap<string, number>): Identified[] {
  const last = rank.size;
  return [...items].sort((a, b) => (rank.get(a.identity) ?? last) - (rank.get(b.identity) ?? last));
}

function isBefore(position: number | undefined, limit: number): boolean {
  return position !== undefined && position < limit;
}

import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { mapListKey, setKey } from '../values/list-identity.ts';
import { ListValue, type Value } from '../values/value.ts';

/**
 * Evaluates `X + Y` of lists. If X is a set, the result is the union: the elements of X in their places, then those of Y that X
 * lacks. If X is a keyed list, items of Y replace those of X with the same keys, and other items follow.
 */
export function joinLists(left: ListValue, right: ListValue, frame: Frame): Value {
  if (left.mark === 'atomic') {
    frame.charge(figures.call);
    return ListValue.concatenation(left, right);
  }
  // A union traverses both lists, unlike a concatenation, which copies nothing.
  frame.charge(figures.call + Math.floor((left.size + right.size) * figures.traversal));
  return left.mark === 'set'
    ? union(left, right, frame)
    : merge(left, right, { keys: left.mark.mapKeys, frame });
}

function union(left: ListValue, right: ListValue, frame: Frame): Value {
  const seen = new Set<string>();
  const items: Value[] = [];
  for (const list of [left, right]) {
    for (let index = 0; index < list.size; index++) {
      const item = list.get(index);
      if (item instanceof CelError) return item;
      const key = setKey(item);
      frame.traverse(key.length >>> 4);
      if (list === right && seen.has(key)) continue;
      seen.add(key);
      items.push(item);
    }
  }
  return ListValue.of(items, 'set');
}

function merge(
  left: ListValue,
  right: ListValue,
  { keys, frame }: { keys: readonly string[]; frame: Frame },
): Value {
  const places = new Map<string, number>();
  const items: Value[] = [];
  for (let index = 0; index < left.size; index++) {
    const item = left.get(index);
    if (item instanceof CelError) return item;
    places.set(mapListKey(item, keys), index);
    items.push(item);
  }
  for (let index = 0; index < right.size; index++) {
    const item = right.get(index);
    if (item instanceof CelError) return item;
    const key = mapListKey(item, keys);
    frame.traverse(key.length >>> 4);
    const place = places.get(key);
    if (place === undefined) places.set(key, items.push(item) - 1);
    else items[place] = item;
  }
  return ListValue.of(items, { mapKeys: keys });
}

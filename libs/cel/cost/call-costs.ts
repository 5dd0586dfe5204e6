import { codePointLength } from '../values/code-points.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';
import { figures } from './figures.ts';

/** Returns the size of a value: code points, bytes, elements or entries; 1 for all other values. */
export function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return codePointLength(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  return value instanceof Uint8Array ? value.length : 1;
}

/** Returns the cost of traversing `size` code points or bytes. */
export function traversalCost(size: number): number {
  return Math.ceil(size * figures.traversal);
}

/** Returns the cost of traversing a value deeply. Stops counting beyond `most`. */
export function deepTraversalCost(value: Value | undefined, most: number): number {
  if (typeof value === 'string') return Math.floor(codePointLength(value) * figures.traversal);
  if (value instanceof Uint8Array) return Math.floor(value.length * figures.traversal);
  let cost = 0;
  if (value instanceof ListValue) {
    for (let index = 0; index < value.size && cost <= most; index++)
      cost += deepTraversalCost(value.get(index), most - cost);
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  for (const key of value.keys()) {
    if (cost > most) break;
    cost += deepTraversalCost(key, most) + deepTraversalCost(value.entry(key), most - cost);
  }
  return cost;
}

/** Returns the cost of matching a pattern of a length and program size against a number of code points. */
export function regexCost(pattern: { length: number; programSize: number }, inputLength: number): number {
  return Math.max(pattern.length, Math.floor(pattern.programSize * figures.program)) * inputLength;
}

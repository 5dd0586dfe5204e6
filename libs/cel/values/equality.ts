import { CelError } from './cel-error.ts';
import { Duration } from './duration.ts';
import { mapListKey, setKey } from './list-identity.ts';
import { JsonMapValue, ObjectValue } from './map-value.ts';
import { Timestamp } from './timestamp.ts';
import { Uint } from './uint.ts';
import { UrlValue } from './url-value.ts';
import { ListValue, MapValue, TypeValue, type Value } from './value.ts';

/** Counts the elements that a comparison traverses. */
interface Traversal {
  traverse(elements: number): void;
}

/**
 * Whether two values are equal: numbers of different types by value, lists by position or by their mark; values of different
 * types are never equal. An element that cannot be read makes the result an error.
 */
export function equalValues(left: Value, right: Value, traversal: Traversal): boolean | CelError {
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(left, right, traversal);
  if (left === right) return !Number.isNaN(left);
  switch (typeof left) {
    case 'string':
    case 'boolean':
      return false;
    case 'bigint':
    case 'number':
      return equalNumbers(left, right);
    default:
      return left !== null && right !== null && equalObjects(left, right, traversal);
  }
}

function equalTexts(left: string, right: string, traversal: Traversal): boolean {
  if (left.length !== right.length) return false;
  traversal.traverse(left.length >>> 4);
  return left === right;
}

function equalObjects(left: Value & object, right: Value, traversal: Traversal): boolean | CelError {
  if (left instanceof CelError) return left;
  if (left instanceof Uint) return equalNumbers(left, right);
  if (left instanceof ListValue) return right instanceof ListValue && equalLists(left, right, traversal);
  if (left instanceof MapValue) return right instanceof MapValue && equalMaps(left, right, traversal);
  if (left instanceof Timestamp)
    return (
      right instanceof Timestamp && left.seconds === right.seconds && left.nanoseconds === right.nanoseconds
    );
  if (left instanceof Duration) return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && equalBytes(left, right, traversal);
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  return right instanceof UrlValue && left.text === right.text;
}

function equalNumbers(left: bigint | number | Uint, right: Value): boolean {
  const a = left instanceof Uint ? left.value : left;
  const b = right instanceof Uint ? right.value : right;
  // biome-ignore lint/suspicious/noDoubleEquals: == compares a bigint and a number exactly, by value
  return (typeof b === 'bigint' || typeof b === 'number') && a == b;
}

function equalBytes(left: Uint8Array, right: Uint8Array, traversal: Traversal): boolean {
  if (left.length !== right.length) return false;
  traversal.traverse(left.length >>> 4);
  return Buffer.compare(left, right) === 0;
}

function equalLists(left: ListValue, right: ListValue, traversal: Traversal): boolean | CelError {
  if (left.size !== right.size) return false;
  if (left.isSameAs(right)) return true;
  const mark = left.mark === 'atomic' ? right.mark : left.mark;
  if (mark === 'set') return equalSets(left, right, traversal);
  if (mark !== 'atomic') return equalMapLists(left, right, { keys: mark.mapKeys, traversal });
  traversal.traverse(left.size);
  for (let index = 0; index < left.size; index++) {
    const equal = equalElements(left.get(index), right.get(index), traversal);
    if (equal !== true) return equal;
  }
  return true;
}

function equalElements(left: Value, right: Value, traversal: Traversal): boolean | CelError {
  if (right instanceof CelError) return right;
  return equalValues(left, right, traversal);
}

function equalSets(left: ListValue, right: ListValue, traversal: Traversal): boolean {
  traversal.traverse(left.size + right.size);
  const keys = new Set<string>();
  const keyAt = (list: ListValue, index: number) => {
    const key = setKey(list.get(index));
    traversal.traverse(key.length >>> 4);
    return key;
  };
  for (let index = 0; index < left.size; index++) keys.add(keyAt(left, index));
  for (let index = 0; index < right.size; index++) if (!keys.has(keyAt(right, index))) return false;
  return true;
}

function equalMapLists(
  left: ListValue,
  right: ListValue,
  { keys, traversal }: { keys: readonly string[]; traversal: Traversal },
): boolean | CelError {
  traversal.traverse(left.size + right.size);
  const items = new Map<string, Value>();
  for (let index = 0; index < left.size; index++) {
    const item = left.get(index);
    items.set(mapListKey(item, keys), item);
  }
  for (let index = 0; index < right.size; index++) {
    const item = right.get(index);
    const other = items.get(mapListKey(item, keys));
    if (other === undefined) return false;
    const equal = equalElements(other, item, traversal);
    if (equal !== true) return equal;
  }
  return true;
}

function equalMaps(left: MapValue, right: MapValue, traversal: Traversal): boolean | CelError {
  if (left instanceof ObjectValue !== right instanceof ObjectValue) return false;
  if (isSameView(left, right)) return true;
  const keys = left.keys();
  if (keys.length !== right.size) return false;
  traversal.traverse(keys.length);
  const present = left instanceof ObjectValue ? new Set(right.keys()) : undefined;
  for (const key of keys) {
    const other = present === undefined ? right.get(key) : findMember(right, key, present);
    if (other === undefined) return false;
    const equal = equalElements(left.entry(key), other, traversal);
    if (equal !== true) return equal;
  }
  return true;
}

function findMember(object: MapValue, key: Value, present: ReadonlySet<Value>): Value | undefined {
  return present.has(key) ? object.entry(key) : undefined;
}

function isSameView(left: MapValue, right: MapValue): boolean {
  if (left === right) return true;
  if (left instanceof JsonMapValue) return right instanceof JsonMapValue && left.raw === right.raw;
  return left instanceof ObjectValue && right instanceof ObjectValue && left.raw === right.raw;
}

import { isJsonObject, isNumber, type JsonObject, type JsonValue } from '@binnacle/api-objects';

/**
 * Compares JSON values in the canonical order of field sets: numbers, strings, booleans, lists, objects, null; strings by their
 * UTF-8 bytes, lists and objects element by element.
 */
export function compareJsonValues(a: JsonValue, b: JsonValue): number {
  const rank = rankValue(a) - rankValue(b);
  if (rank !== 0) return rank;
  if (isNumber(a)) return compareNumbers(a, b as number | bigint); // Values of one rank have the same type.
  if (typeof a === 'string') return compareTexts(a, b as string);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a)) return compareLists(a, b as JsonValue[]);
  return a === null ? 0 : compareObjects(a, b as JsonObject);
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares texts by their UTF-8 bytes. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteRank(x) - byteRank(y);
  }
  return a.length - b.length;
}

/** Surrogate code units represent characters above all others, although their values are lower. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function rankValue(value: JsonValue): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return isJsonObject(value) ? 4 : 5;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareJsonValues(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const keysOfA = Object.keys(a).sort(compareTexts);
  const keysOfB = Object.keys(b).sort(compareTexts);
  for (let i = 0; i < keysOfA.length && i < keysOfB.length; i++) {
    const keyOfA = keysOfA[i]!;
    const order = compareTexts(keyOfA, keysOfB[i]!) || compareJsonValues(a[keyOfA]!, b[keyOfA]!);
    if (order !== 0) return order;
  }
  return keysOfA.length - keysOfB.length;
}

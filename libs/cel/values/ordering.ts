import { compareText } from './code-points.ts';
import { Duration } from './duration.ts';
import { Timestamp } from './timestamp.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/**
 * Compares two ordered values: numbers of any types, strings by code point, bytes, booleans, timestamps, durations. Returns a
 * negative number, 0 or a positive number; NaN if an operand is NaN. Undefined for values without an order.
 */
export function compareValues(left: Value, right: Value): number | undefined {
  switch (typeof left) {
    case 'bigint':
    case 'number':
      return compareNumbers(left, right);
    case 'string':
      return typeof right === 'string' ? compareText(left, right) : undefined;
    case 'boolean':
      return typeof right === 'boolean' ? Number(left) - Number(right) : undefined;
    default:
      return compareObjects(left, right);
  }
}

function compareObjects(left: Value, right: Value): number | undefined {
  if (left instanceof Uint) return compareNumbers(left.value, right);
  if (left instanceof Timestamp && right instanceof Timestamp)
    return left.seconds - right.seconds || left.nanoseconds - right.nanoseconds;
  if (left instanceof Duration && right instanceof Duration)
    return compareNumbers(left.nanoseconds, right.nanoseconds);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  return undefined;
}

function compareNumbers(left: bigint | number, right: Value): number | undefined {
  const other = right instanceof Uint ? right.value : right;
  if (typeof other !== 'bigint' && typeof other !== 'number') return undefined;
  if (typeof left !== typeof other) return compareDoubles(Number(left), Number(other));
  if (left < other) return -1;
  if (left > other) return 1;
  return left === other ? 0 : Number.NaN;
}

/** Compares integers with doubles as doubles, as the standard specifies. */
function compareDoubles(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN;
}

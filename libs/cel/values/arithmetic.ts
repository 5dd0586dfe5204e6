import { CelError } from './cel-error.ts';
import { Duration, durationOrOverflow } from './duration.ts';
import { intOrOverflow, maxUint } from './int64.ts';
import { Timestamp, timestampNanoseconds, timestampOrOverflow } from './timestamp.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/** Evaluates `+` of numbers of one type and of times; like all functions here, returns undefined for unsupported operands. */
export function addNumbers(left: Value, right: Value): Value | undefined {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? intOrOverflow(left + right) : undefined;
  if (typeof left === 'number') return typeof right === 'number' ? left + right : undefined;
  if (left instanceof Uint)
    return right instanceof Uint ? uintOrOverflow(left.value + right.value) : undefined;
  if (left instanceof Timestamp && right instanceof Duration)
    return timestampOrOverflow(timestampNanoseconds(left) + right.nanoseconds);
  if (!(left instanceof Duration)) return undefined;
  if (right instanceof Timestamp) return timestampOrOverflow(timestampNanoseconds(right) + left.nanoseconds);
  return right instanceof Duration ? durationOrOverflow(left.nanoseconds + right.nanoseconds) : undefined;
}

/** Evaluates binary `-`. */
export function subtract(left: Value, right: Value): Value | undefined {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? intOrOverflow(left - right) : undefined;
  if (typeof left === 'number') return typeof right === 'number' ? left - right : undefined;
  if (left instanceof Uint)
    return right instanceof Uint ? uintOrOverflow(left.value - right.value) : undefined;
  if (left instanceof Timestamp && right instanceof Timestamp)
    return durationOrOverflow(timestampNanoseconds(left) - timestampNanoseconds(right));
  if (!(right instanceof Duration)) return undefined;
  if (left instanceof Timestamp) return timestampOrOverflow(timestampNanoseconds(left) - right.nanoseconds);
  return left instanceof Duration ? durationOrOverflow(left.nanoseconds - right.nanoseconds) : undefined;
}

/** Evaluates `*`. */
export function multiply(left: Value, right: Value): Value | undefined {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? intOrOverflow(left * right) : undefined;
  if (typeof left === 'number') return typeof right === 'number' ? left * right : undefined;
  return left instanceof Uint && right instanceof Uint ? uintOrOverflow(left.value * right.value) : undefined;
}

/** Evaluates `/`: integers are truncated towards zero; doubles may become infinite. */
export function divide(left: Value, right: Value): Value | undefined {
  if (typeof left === 'number') return typeof right === 'number' ? left / right : undefined;
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return right === 0n ? divisionByZero : intOrOverflow(left / right);
  if (left instanceof Uint && right instanceof Uint)
    return right.value === 0n ? divisionByZero : new Uint(left.value / right.value);
  return undefined;
}

/** Evaluates `%` of integers; the result has the sign of the first operand. */
export function remainder(left: Value, right: Value): Value | undefined {
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return right === 0n ? modulusByZero : left % right;
  if (left instanceof Uint && right instanceof Uint)
    return right.value === 0n ? modulusByZero : new Uint(left.value % right.value);
  return undefined;
}

/** Evaluates unary `-`. */
export function negate(value: Value): Value | undefined {
  if (typeof value === 'bigint') return intOrOverflow(-value);
  return typeof value === 'number' ? -value : undefined;
}

const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

function uintOrOverflow(value: bigint): Uint | CelError {
  return value < 0n || value > maxUint ? new CelError('unsigned integer overflow') : new Uint(value);
}

import { sizeOf, traversalOf } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration, durationOrOverflow } from '../values/duration.ts';
import { intOrOverflow, maxUint } from '../values/int64.ts';
import { ListValue } from '../values/list-value.ts';
import { Timestamp, timestampNanoseconds, timestampOrOverflow } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { joinLists } from './join-lists.ts';
import { maxTextLength } from './library-function.ts';

/** `+`: numbers of one type, texts, bytes, lists, times. Undefined for operands that it does not take. */
export function add(left: Value, right: Value, frame: Frame): Value | undefined {
  if (typeof left === 'string') return typeof right === 'string' ? addText(left, right, frame) : undefined;
  if (left instanceof ListValue)
    return right instanceof ListValue ? joinLists(left, right, frame) : undefined;
  if (left instanceof Uint8Array)
    return right instanceof Uint8Array ? addBytes(left, right, frame) : undefined;
  frame.charge(figures.call);
  if (typeof left === 'bigint') return typeof right === 'bigint' ? intOrOverflow(left + right) : undefined;
  if (typeof left === 'number') return typeof right === 'number' ? left + right : undefined;
  if (left instanceof Uint)
    return right instanceof Uint ? uintOrOverflow(left.value + right.value) : undefined;
  return addTimes(left, right);
}

/** `-` of two operands. */
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

/** `*`. */
export function multiply(left: Value, right: Value): Value | undefined {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? intOrOverflow(left * right) : undefined;
  if (typeof left === 'number') return typeof right === 'number' ? left * right : undefined;
  return left instanceof Uint && right instanceof Uint ? uintOrOverflow(left.value * right.value) : undefined;
}

/** `/`: whole numbers are cut towards zero; doubles know infinity. */
export function divide(left: Value, right: Value): Value | undefined {
  if (typeof left === 'number') return typeof right === 'number' ? left / right : undefined;
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return right === 0n ? divisionByZero : intOrOverflow(left / right);
  if (left instanceof Uint && right instanceof Uint)
    return right.value === 0n ? divisionByZero : new Uint(left.value / right.value);
  return undefined;
}

/** `%`: what is left of whole numbers, with the sign of the first. */
export function remainder(left: Value, right: Value): Value | undefined {
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return right === 0n ? modulusByZero : left % right;
  if (left instanceof Uint && right instanceof Uint)
    return right.value === 0n ? modulusByZero : new Uint(left.value % right.value);
  return undefined;
}

/** `-` of one operand. */
export function negate(value: Value): Value | undefined {
  if (typeof value === 'bigint') return intOrOverflow(-value);
  return typeof value === 'number' ? -value : undefined;
}

const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

function uintOrOverflow(value: bigint): Uint | CelError {
  return value < 0n || value > maxUint ? new CelError('unsigned integer overflow') : new Uint(value);
}

function addTimes(left: Value, right: Value): Value | undefined {
  if (left instanceof Timestamp && right instanceof Duration)
    return timestampOrOverflow(timestampNanoseconds(left) + right.nanoseconds);
  if (!(left instanceof Duration)) return undefined;
  if (right instanceof Timestamp) return timestampOrOverflow(timestampNanoseconds(right) + left.nanoseconds);
  return right instanceof Duration ? durationOrOverflow(left.nanoseconds + right.nanoseconds) : undefined;
}

function addText(left: string, right: string, frame: Frame): Value {
  frame.charge(traversalOf(sizeOf(left) + sizeOf(right)));
  return left.length + right.length > maxTextLength ? new CelError('the text is too long') : left + right;
}

function addBytes(left: Uint8Array, right: Uint8Array, frame: Frame): Value {
  frame.charge(traversalOf(left.length + right.length));
  if (left.length + right.length > maxTextLength) return new CelError('too many bytes');
  return new Uint8Array(Buffer.concat([left, right]));
}

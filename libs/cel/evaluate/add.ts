import { sizeOf, traversalOf } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import { addNumbers } from '../values/arithmetic.ts';
import { CelError } from '../values/cel-error.ts';
import { maxTextLength } from '../values/code-points.ts';
import { ListValue, type Value } from '../values/value.ts';
import { joinLists } from './join-lists.ts';

/** `+`: numbers of one type, texts, bytes, lists, times. Undefined for operands that it does not take. */
export function add(left: Value, right: Value, frame: Frame): Value | undefined {
  if (typeof left === 'string') return typeof right === 'string' ? addText(left, right, frame) : undefined;
  if (left instanceof ListValue)
    return right instanceof ListValue ? joinLists(left, right, frame) : undefined;
  if (left instanceof Uint8Array)
    return right instanceof Uint8Array ? addBytes(left, right, frame) : undefined;
  frame.charge(figures.call);
  return addNumbers(left, right);
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

import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import { types } from '../types/type.ts';
import { codePointLength, outOfRange, unitOffset } from '../values/code-points.ts';
import { equalValues } from '../values/equality.ts';
import { ListValue, type Value } from '../values/value.ts';
import { wholeListCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { chargeTraversal } from './list-traversal.ts';
import { method } from './overloads.ts';

const { string, int } = types;
const a = types.parameter('A');
const listOfA = types.list(a);

/** `text.indexOf(part, from)` and `list.indexOf(element)`: the first index, -1 if there is none. */
export const indexOf: FunctionDefinition = {
  name: 'indexOf',
  overloads: [
    method('string_index_of_string', [string, string], int),
    method('string_index_of_string_int', [string, string, int], int),
    method('list_a_index_of_int', [listOfA, a], int),
  ],
  evaluate([target, wanted, from, ...more], frame) {
    if (wanted === undefined || more.length > 0) return undefined;
    if (target instanceof ListValue)
      return from === undefined ? listIndexOf(target, wanted, frame) : undefined;
    if (typeof target !== 'string' || typeof wanted !== 'string') return undefined;
    return textIndexOf({ text: target, wanted, from: from ?? 0n, last: false }, frame);
  },
  estimate: wholeListCost,
};

/** `text.lastIndexOf(part, from)` and `list.lastIndexOf(element)`: the last index, -1 if there is none. */
export const lastIndexOf: FunctionDefinition = {
  name: 'lastIndexOf',
  overloads: [
    method('string_last_index_of_string', [string, string], int),
    method('string_last_index_of_string_int', [string, string, int], int),
    method('list_a_last_index_of_int', [listOfA, a], int),
  ],
  evaluate([target, wanted, from, ...more], frame) {
    if (wanted === undefined || more.length > 0) return undefined;
    if (target instanceof ListValue)
      return from === undefined ? listLastIndexOf(target, wanted, frame) : undefined;
    if (typeof target !== 'string' || typeof wanted !== 'string') return undefined;
    return textIndexOf({ text: target, wanted, from, last: true }, frame);
  },
  estimate: wholeListCost,
};

function listIndexOf(list: ListValue, wanted: Value, frame: Frame): Value {
  chargeTraversal(list, frame);
  for (let index = 0; index < list.size; index++)
    if (equalValues(list.get(index), wanted, frame) === true) return BigInt(index);
  return -1n;
}

function listLastIndexOf(list: ListValue, wanted: Value, frame: Frame): Value {
  chargeTraversal(list, frame);
  for (let index = list.size - 1; index >= 0; index--)
    if (equalValues(list.get(index), wanted, frame) === true) return BigInt(index);
  return -1n;
}

interface Search {
  readonly text: string;
  readonly wanted: string;
  /** Start of the search in code points; undefined: the end of the text. */
  readonly from: Value | undefined;
  readonly last: boolean;
}

function textIndexOf({ text, wanted, from, last }: Search, frame: Frame): Value | undefined {
  const size = codePointLength(text);
  frame.charge(Math.floor(size * figures.traversal));
  const start = from ?? BigInt(size);
  if (typeof start !== 'bigint') return undefined;
  if (start < 0n || start > BigInt(size)) return outOfRange(start);
  const unit = unitOffset(text, Number(start));
  const found = last ? text.lastIndexOf(wanted, unit) : text.indexOf(wanted, unit);
  return found < 0 ? -1n : BigInt(codePointLength(text.slice(0, found)));
}

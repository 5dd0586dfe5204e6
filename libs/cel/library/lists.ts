import { deepTraversalOf } from '../cost/call-costs.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration } from '../values/duration.ts';
import { equalValues } from '../values/equality.ts';
import { ListValue } from '../values/list-value.ts';
import { compareValues } from '../values/ordering.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { add } from './arithmetic.ts';
import type { FunctionLibrary } from './library-function.ts';

/** The list library: `sum`, `min`, `max`, `isSorted`; each goes through the list once. */
export const lists: FunctionLibrary = {
  sum: (args, frame) => withList(args, frame, sum),
  min: (args, frame) => withList(args, frame, list => extreme(list, { name: 'min', sign: -1 })),
  max: (args, frame) => withList(args, frame, list => extreme(list, { name: 'max', sign: 1 })),
  isSorted: (args, frame) => withList(args, frame, isSorted),
};

/** The first place of an element that is equal, -1 without one. */
export function listIndexOf(list: ListValue, wanted: Value, frame: Frame): Value {
  chargeTraversal(list, frame);
  for (let index = 0; index < list.size; index++)
    if (equalValues(list.get(index), wanted, frame) === true) return BigInt(index);
  return -1n;
}

/** The last place of an element that is equal, -1 without one. */
export function listLastIndexOf(list: ListValue, wanted: Value, frame: Frame): Value {
  chargeTraversal(list, frame);
  for (let index = list.size - 1; index >= 0; index--)
    if (equalValues(list.get(index), wanted, frame) === true) return BigInt(index);
  return -1n;
}

/** What the sum of no elements is, by the overload: 0 of the type. */
export function zeroOf(overload: string | undefined): Value {
  switch (overload) {
    case 'list_uint_sum_uint':
      return new Uint(0n);
    case 'list_double_sum_double':
      return 0;
    case 'list_duration_sum_duration':
      return new Duration(0n);
    default:
      return 0n;
  }
}

function withList(
  [list, ...more]: readonly Value[],
  frame: Frame,
  work: (list: ListValue, frame: Frame) => Value | undefined,
): Value | undefined {
  if (!(list instanceof ListValue) || more.length > 0) return undefined;
  chargeTraversal(list, frame);
  return work(list, frame);
}

function chargeTraversal(list: ListValue, frame: Frame): void {
  // Beyond what is left of the budget it does not matter by how much.
  frame.traverse(list.size);
  frame.charge(deepTraversalOf(list, frame.budget - frame.cost));
}

/** Additions are no calls: what they cost is in the traversal. */
const free = { charge: () => undefined, traverse: () => undefined };

function sum(list: ListValue): Value | undefined {
  if (list.size === 0) return 0n;
  let total = list.get(0);
  if (total instanceof CelError) return total;
  if (typeof total === 'string' || total instanceof ListValue || total instanceof Uint8Array)
    return undefined;
  // Only texts, bytes and lists look at what they are charged to.
  const frame = free as unknown as Frame;
  for (let index = 1; index < list.size; index++) {
    const item = list.get(index);
    if (item instanceof CelError) return item;
    const next = add(total, item, frame);
    if (next === undefined || next instanceof CelError) return next;
    total = next;
  }
  return total;
}

function extreme(list: ListValue, { name, sign }: { name: string; sign: number }): Value | undefined {
  if (list.size === 0) return new CelError(`${name} called on empty list`);
  let best = list.get(0);
  if (best instanceof CelError || (list.size === 1 && compareValues(best, best) === undefined))
    return best instanceof CelError ? best : undefined;
  for (let index = 1; index < list.size; index++) {
    const item = list.get(index);
    if (item instanceof CelError) return item;
    const order = compareValues(item, best);
    if (order === undefined) return undefined;
    if (order * sign > 0) best = item;
  }
  return best;
}

function isSorted(list: ListValue): Value | undefined {
  for (let index = 1; index < list.size; index++) {
    const before = list.get(index - 1);
    const item = list.get(index);
    if (before instanceof CelError) return before;
    if (item instanceof CelError) return item;
    const order = compareValues(before, item);
    if (order === undefined) return undefined;
    if (!(order <= 0)) return false;
  }
  return true;
}

import { types } from '../types/type.ts';
import { addNumbers } from '../values/arithmetic.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration } from '../values/duration.ts';
import { Uint } from '../values/uint.ts';
import { ListValue, type Value } from '../values/value.ts';
import { wholeListCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { onList } from './list-traversal.ts';
import { method } from './overloads.ts';

/** The element types that can be added, with the sum of an empty list. */
const summable = [
  { id: 'list_int_sum_int', type: types.int, zero: 0n },
  { id: 'list_uint_sum_uint', type: types.uint, zero: new Uint(0n) },
  { id: 'list_double_sum_double', type: types.double, zero: 0 },
  { id: 'list_duration_sum_duration', type: types.duration, zero: new Duration(0n) },
] as const;

/** `list.sum()`; for an empty list only the overload determines the type. */
export const sum: FunctionDefinition = {
  name: 'sum',
  overloads: summable.map(({ id, type }) => method(id, [types.list(type)], type)),
  evaluate: onList(list => sumList(list, 0n)),
  withOverload(id) {
    const zero = summable.find(overload => overload.id === id)?.zero ?? 0n;
    return onList(list => sumList(list, zero));
  },
  estimate: wholeListCost,
};

function sumList(list: ListValue, zero: Value): Value | undefined {
  if (list.size === 0) return zero;
  let total = list.get(0);
  if (total instanceof CelError) return total;
  if (typeof total === 'string' || total instanceof ListValue || total instanceof Uint8Array)
    return undefined;
  for (let index = 1; index < list.size; index++) {
    const item = list.get(index);
    if (item instanceof CelError) return item;
    const next = addNumbers(total, item);
    if (next === undefined || next instanceof CelError) return next;
    total = next;
  }
  return total;
}

import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { compareValues } from '../values/ordering.ts';
import type { ListValue, Value } from '../values/value.ts';
import { wholeListCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { onList, sortable } from './list-traversal.ts';
import { method } from './overloads.ts';

/** `list.isSorted()`: whether no element is less than its predecessor. */
export const isSorted: FunctionDefinition = {
  name: 'isSorted',
  overloads: sortable.map(([name, type]) =>
    method(`list_${name}_is_sorted_bool`, [types.list(type)], types.bool),
  ),
  evaluate: onList(isListSorted),
  estimate: wholeListCost,
};

function isListSorted(list: ListValue): Value | undefined {
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

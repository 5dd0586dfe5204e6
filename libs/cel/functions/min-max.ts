import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { compareValues } from '../values/ordering.ts';
import type { ListValue, Value } from '../values/value.ts';
import { wholeListCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { onList, sortable } from './list-traversal.ts';
import { method } from './overloads.ts';

/** `list.min()`; an error for an empty list. */
export const min: FunctionDefinition = extremeFunction('min', -1);

/** `list.max()`; an error for an empty list. */
export const max: FunctionDefinition = extremeFunction('max', 1);

/** `sign` is the sign of the comparison with which an element replaces the previous result. */
function extremeFunction(name: string, sign: number): FunctionDefinition {
  return {
    name,
    overloads: sortable.map(([element, type]) =>
      method(`list_${element}_${name}_${element}`, [types.list(type)], type),
    ),
    evaluate: onList(list => findExtreme(list, { name, sign })),
    estimate: wholeListCost,
  };
}

function findExtreme(list: ListValue, { name, sign }: { name: string; sign: number }): Value | undefined {
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

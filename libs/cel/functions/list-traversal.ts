import { deepTraversalCost } from '../cost/call-costs.ts';
import type { Frame } from '../frame/frame.ts';
import { type CelType, types } from '../types/type.ts';
import { ListValue, type Value } from '../values/value.ts';
import type { LibraryFunction } from './function-definition.ts';

/** The ordered element types, with their names in overload ids. */
export const sortable: readonly (readonly [string, CelType])[] = [
  ['int', types.int],
  ['uint', types.uint],
  ['double', types.double],
  ['duration', types.duration],
  ['bool', types.bool],
  ['timestamp', types.timestamp],
  ['string', types.string],
  ['bytes', types.bytes],
];

/** Creates a function of one list that charges for traversing the list. */
export function onList(work: (list: ListValue) => Value | undefined): LibraryFunction {
  return ([list, ...more], frame) => {
    if (!(list instanceof ListValue) || more.length > 0) return undefined;
    chargeTraversal(list, frame);
    return work(list);
  };
}

/** Charges for traversing a list once. */
export function chargeTraversal(list: ListValue, frame: Frame): void {
  // A cost beyond the remaining budget need not be exact.
  frame.traverse(list.size);
  frame.charge(deepTraversalCost(list, frame.budget - frame.cost));
}

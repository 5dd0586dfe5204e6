import { deepTraversalCost } from '../cost/call-costs.ts';
import type { Frame } from '../frame/frame.ts';
import { type CelType, types } from '../types/type.ts';
import { ListValue, type Value } from '../values/value.ts';
import type { LibraryFunction } from './function-definition.ts';

/** The types of elements that are ordered, with their names in ids of overloads. */
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

/** Makes a function of work on one list, which is charged for going through all of it. */
export function onList(work: (list: ListValue) => Value | undefined): LibraryFunction {
  return ([list, ...more], frame) => {
    if (!(list instanceof ListValue) || more.length > 0) return undefined;
    chargeTraversal(list, frame);
    return work(list);
  };
}

/** Charges for going through a list once. */
export function chargeTraversal(list: ListValue, frame: Frame): void {
  // Beyond what is left of the budget it does not matter by how much.
  frame.traverse(list.size);
  frame.charge(deepTraversalCost(list, frame.budget - frame.cost));
}

import { types } from '../types/type.ts';
import { converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

/** `dyn(value)`: the value itself with a dynamic type. */
export const toDyn: FunctionDefinition = {
  name: 'dyn',
  overloads: [global('to_dyn', [types.parameter('A')], types.dyn)],
  evaluate: converting(value => value),
  estimate: constantCost,
};

import { types } from '../types/type.ts';
import { typeOfValue } from '../values/type-value.ts';
import { converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const a = types.parameter('A');

/** `type(value)`. */
export const typeOf: FunctionDefinition = {
  name: 'type',
  overloads: [global('type', [a], types.type(a))],
  evaluate: converting(typeOfValue),
  estimate: constantCost,
};

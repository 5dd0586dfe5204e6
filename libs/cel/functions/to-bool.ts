import { types } from '../types/type.ts';
import type { Value } from '../values/value.ts';
import { cannotConvert, converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { bool, string } = types;

/** `bool(value)`. */
export const toBool: FunctionDefinition = {
  name: 'bool',
  overloads: [global('bool_to_bool', [bool], bool), global('string_to_bool', [string], bool)],
  evaluate: converting(convertToBool),
  estimate: constantCost,
  isFoldable: true,
};

function convertToBool(value: Value): Value | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false;
  return cannotConvert(value, 'bool');
}

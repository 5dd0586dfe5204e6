import { types } from '../types/type.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { cannotConvert, converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { int, uint, double, string } = types;

/** `double(value)`. */
export const toDouble: FunctionDefinition = {
  name: 'double',
  overloads: [
    global('double_to_double', [double], double),
    global('int64_to_double', [int], double),
    global('string_to_double', [string], double),
    global('uint64_to_double', [uint], double),
  ],
  evaluate: converting(convertToDouble),
  estimate: constantCost,
  isFoldable: true,
};

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Longer texts, in characters, are not parsed as numbers. */
const longestNumber = 4096;
const notFinite: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

function convertToDouble(value: Value): Value | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') return undefined;
  if (value.length > longestNumber) return cannotConvert(value, 'double');
  if (decimal.test(value)) return Number(value);
  const special = /^([+-]?)(inf|infinity|nan)$/.exec(value.toLowerCase());
  if (special === null) return cannotConvert(value, 'double');
  return (notFinite[special[2] ?? ''] ?? 0) * (special[1] === '-' ? -1 : 1);
}

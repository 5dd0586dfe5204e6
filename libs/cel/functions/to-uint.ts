import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { maxUint } from '../values/int64.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { cannotConvert, converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { int, uint, double, string } = types;

/** `uint(value)`. */
export const toUint: FunctionDefinition = {
  name: 'uint',
  overloads: [
    global('uint64_to_uint64', [uint], uint),
    global('double_to_uint64', [double], uint),
    global('int64_to_uint64', [int], uint),
    global('string_to_uint64', [string], uint),
  ],
  evaluate: converting(convertToUint),
  estimate: constantCost,
  isFoldable: true,
};

function convertToUint(value: Value): Value | undefined {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return uintOrOverflow(value);
  if (typeof value === 'number')
    return value > -1 && value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value))) : uintOrOverflow(-1n);
  if (typeof value !== 'string') return undefined;
  return /^\d{1,32}$/.test(value) ? uintOrOverflow(BigInt(value)) : cannotConvert(value, 'uint');
}

function uintOrOverflow(value: bigint): Uint | CelError {
  return value < 0n || value > maxUint
    ? new CelError('unsigned integer overflow: out of range')
    : new Uint(value);
}

import { types } from '../types/type.ts';
import { Duration } from '../values/duration.ts';
import { intFromDouble, intOrOverflow } from '../values/int64.ts';
import { Timestamp } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { cannotConvert, converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { int, uint, double, string, timestamp, duration } = types;

/** `int(value)`: the seconds of a timestamp, the nanoseconds of a duration. */
export const toInt: FunctionDefinition = {
  name: 'int',
  overloads: [
    global('int64_to_int64', [int], int),
    global('double_to_int64', [double], int),
    global('duration_to_int64', [duration], int),
    global('string_to_int64', [string], int),
    global('timestamp_to_int64', [timestamp], int),
    global('uint64_to_int64', [uint], int),
  ],
  evaluate: converting(convertToInt),
  estimate: constantCost,
  isFoldable: true,
};

function convertToInt(value: Value): Value | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return intFromDouble(value);
  if (value instanceof Uint) return intOrOverflow(value.value);
  if (value instanceof Timestamp) return BigInt(value.seconds);
  if (value instanceof Duration) return intOrOverflow(value.nanoseconds);
  if (typeof value !== 'string') return undefined;
  return /^[+-]?\d{1,32}$/.test(value)
    ? intOrOverflow(BigInt(value.replace('+', '')))
    : cannotConvert(value, 'int');
}

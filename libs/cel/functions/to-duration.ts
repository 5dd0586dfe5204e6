import { types } from '../types/type.ts';
import { Duration, parseDuration } from '../values/duration.ts';
import type { Value } from '../values/value.ts';
import { converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { int, string, duration } = types;

/** `duration(value)` of a string or of nanoseconds. */
export const toDuration: FunctionDefinition = {
  name: 'duration',
  overloads: [
    global('duration_to_duration', [duration], duration),
    global('int64_to_duration', [int], duration),
    global('string_to_duration', [string], duration),
  ],
  evaluate: converting(convertToDuration),
  estimate: constantCost,
  isFoldable: true,
};

function convertToDuration(value: Value): Value | undefined {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value);
  return typeof value === 'string' ? parseDuration(value) : undefined;
}

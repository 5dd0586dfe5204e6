import { types } from '../types/type.ts';
import { parseTimestamp, Timestamp, timestampOrOverflow } from '../values/timestamp.ts';
import type { Value } from '../values/value.ts';
import { converting } from './conversion.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { int, string, timestamp } = types;

/** `timestamp(value)` of a string or of seconds. */
export const toTimestamp: FunctionDefinition = {
  name: 'timestamp',
  overloads: [
    global('timestamp_to_timestamp', [timestamp], timestamp),
    global('int64_to_timestamp', [int], timestamp),
    global('string_to_timestamp', [string], timestamp),
  ],
  evaluate: converting(convertToTimestamp),
  estimate: constantCost,
  isFoldable: true,
};

function convertToTimestamp(value: Value): Value | undefined {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return timestampOrOverflow(value * 1_000_000_000n);
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

import { traversalCost } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import { anySize, eitherRange, exactly, type Range } from '../cost/size-range.ts';
import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { bytesOfCodePoint } from '../values/code-points.ts';
import { Duration, formatDuration } from '../values/duration.ts';
import { formatTimestamp, Timestamp } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { isBytes, isText, traversalRange } from './estimates.ts';
import type { CallEstimate, FunctionDefinition, Operands } from './function-definition.ts';
import { global } from './overloads.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration } = types;

/** `string(value)`; bytes are traversed completely. */
export const toText: FunctionDefinition = {
  name: 'string',
  overloads: [
    global('string_to_string', [string], string),
    global('bool_to_string', [bool], string),
    global('bytes_to_string', [bytes], string),
    global('double_to_string', [double], string),
    global('duration_to_string', [duration], string),
    global('int64_to_string', [int], string),
    global('timestamp_to_string', [timestamp], string),
    global('uint64_to_string', [uint], string),
  ],
  evaluate([value, ...more], frame) {
    if (value === undefined || more.length > 0) return undefined;
    frame.charge(value instanceof Uint8Array ? traversalCost(value.length) : figures.call);
    return convertToText(value);
  },
  estimate: estimateText,
  isFoldable: true,
};

/** Text size of a value that is not a string or bytes. */
const shortText: Range = { min: 1, max: 40 };

function estimateText({ first: { type, size } }: Operands): CallEstimate {
  if (isBytes(type))
    return {
      cost: traversalRange(size),
      size: { min: Math.floor(size.min / bytesOfCodePoint), max: size.max },
    };
  if (isText(type)) return { cost: exactly(figures.call), size };
  if (type?.kind === 'primitive') return { cost: exactly(figures.call), size: shortText };
  return { cost: eitherRange(exactly(figures.call), traversalRange(size)), size: anySize };
}

function convertToText(value: Value): Value | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return textOfDouble(value);
    default:
      return textOfObject(value);
  }
}

/** Formats a double as the shortest text with the same value, with an exponent below 1e-4 and from 1e6. */
function textOfDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOfObject(value: Value): Value | undefined {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (!(value instanceof Uint8Array)) return undefined;
  try {
    return utf8.decode(value);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

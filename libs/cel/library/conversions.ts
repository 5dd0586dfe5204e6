import { traversalOf } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration, formatDuration, parseDuration } from '../values/duration.ts';
import { intFromDouble, intOrOverflow, maxUint } from '../values/int64.ts';
import { formatTimestamp, parseTimestamp, Timestamp, timestampOrOverflow } from '../values/timestamp.ts';
import { typeOfValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { formatDouble } from './format-double.ts';
import type { FunctionLibrary, LibraryFunction } from './library-function.ts';

/** `int`, `string` and the other functions that make values of one type of values of another. */
export const conversions: FunctionLibrary = {
  bool: converting(toBool),
  int: converting(toInt),
  uint: converting(toUint),
  double: converting(toDouble),
  string: converting(toText),
  bytes: converting(toBytes),
  timestamp: converting(toTimestamp),
  duration: converting(toDuration),
  dyn: converting(value => value),
  type: converting(typeOfValue),
};

function converting(convert: (value: Value) => Value | undefined): LibraryFunction {
  return ([value, ...more], frame) => {
    if (value === undefined || more.length > 0) return undefined;
    frame.charge(costOf(convert, value));
    return convert(value);
  };
}

/** Only between texts and bytes the whole of it is gone through. */
function costOf(convert: (value: Value) => Value | undefined, value: Value): number {
  if (convert === toText && value instanceof Uint8Array) return traversalOf(value.length);
  if (convert === toBytes && typeof value === 'string') return traversalOf(value.length);
  return figures.call;
}

function toBool(value: Value): Value | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false;
  return cannotConvert(value, 'bool');
}

function toInt(value: Value): Value | undefined {
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

function toUint(value: Value): Value | undefined {
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

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Longer texts are no numbers. */
const longestNumber = 4096;
const notFinite: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

function toDouble(value: Value): Value | undefined {
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

function toText(value: Value): Value | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return formatDouble(value);
    default:
      return textOfObject(value);
  }
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

function toBytes(value: Value): Value | undefined {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? new TextEncoder().encode(value) : undefined;
}

function toTimestamp(value: Value): Value | undefined {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return timestampOrOverflow(value * 1_000_000_000n);
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

function toDuration(value: Value): Value | undefined {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value);
  return typeof value === 'string' ? parseDuration(value) : undefined;
}

function cannotConvert(value: string, type: string): CelError {
  return new CelError(`cannot convert ${JSON.stringify(value.slice(0, 64))} to ${type}`);
}

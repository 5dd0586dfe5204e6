import {
  formatDuration,
  formatMicroTimestamp,
  isInt64,
  isIntOrString,
  isNumber,
  type JsonValue,
  numberFromDouble,
  parseDuration,
  parseInstant,
  storedQuantity,
  timestampFrom,
} from '@binnacle/api-objects';
import type { ScalarType } from '../definitions/message-type.ts';

/** The result for a value of a wrong type: the found and the expected type. */
export class TypeMismatch {
  readonly found: string;
  readonly expected: string;

  constructor(found: string, expected: string) {
    this.found = found;
    this.expected = expected;
  }
}

/** Matches canonical times on days 1 to 28; other times are parsed. */
const plainTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** Go's zero time, which this API converts to null. */
const zeroTime = '0001-01-01T00:00:00Z';
const zeroSecond = -62_135_596_800;
const microTimePattern = /^[^.,]{19}[.,]\d{6}[^\d]/;
const canonicalMicroTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const plainQuantity = /^(?:0|[1-9]\d{0,2}(?:[numkMGTPE]|[KMGTPE]i)?)$/;
const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Checks a value against a scalar type and returns its canonical form: times in UTC with the precision of their type, null for
 * the zero time, quantities by `storedQuantity`. A microTime has exactly six decimals.
 */
export function checkScalar(scalar: ScalarType, value: JsonValue): JsonValue | TypeMismatch {
  switch (scalar) {
    case 'string':
      return typeof value === 'string' ? value : mismatch(value, 'string');
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(value, 'bool');
    case 'int32':
      return typeof value === 'number' && (value | 0) === value ? value : mismatch(value, 'int32');
    case 'int64':
      return isInt64(value) ? value : mismatch(value, 'int64');
    case 'double':
      if (typeof value === 'bigint') return numberFromDouble(Number(value));
      return typeof value === 'number' && Number.isFinite(value) ? value : mismatch(value, 'double');
    case 'intOrString':
      return isIntOrString(value) ? value : mismatch(value, 'int32 or string');
    case 'json':
      return value;
    default:
      return checkTextForm(scalar, value);
  }
}

type TextForm = 'bytes' | 'time' | 'microTime' | 'duration' | 'quantity';

function checkTextForm(scalar: TextForm, value: JsonValue): JsonValue | TypeMismatch {
  if (scalar === 'quantity' && isNumber(value)) return checkQuantity(String(value));
  if (typeof value !== 'string') return mismatch(value, textFormNames[scalar]);
  switch (scalar) {
    case 'bytes':
      return checkBase64(value);
    case 'time':
      return checkTime(value);
    case 'microTime':
      return checkMicroTime(value);
    case 'duration':
      return checkDuration(value);
    case 'quantity':
      return plainQuantity.test(value) ? value : checkQuantity(value);
  }
}

const textFormNames: Readonly<Record<TextForm, string>> = {
  bytes: 'base64 string',
  time: 'time',
  microTime: 'time',
  duration: 'duration',
  quantity: 'quantity',
};

function checkBase64(value: string): string | TypeMismatch {
  const text = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, '') : value;
  if (text.length % 4 === 0 && base64Text.test(text)) return text;
  const wrong = /[^A-Za-z0-9+/]/.exec(value);
  return new TypeMismatch(
    `illegal base64 data at input byte ${wrong?.index ?? value.length}`,
    'base64 string',
  );
}

function checkTime(value: string): string | null | TypeMismatch {
  if (plainTime.test(value)) return value === zeroTime ? null : value;
  const instant = parseInstant(value);
  if (instant === undefined) return mismatch(value, 'time (RFC 3339)');
  return instant.seconds === zeroSecond ? null : timestampFrom(instant.seconds * 1000);
}

function checkMicroTime(value: string): string | null | TypeMismatch {
  const instant = microTimePattern.test(value) ? parseInstant(value) : undefined;
  if (instant === undefined) return mismatch(value, 'time (RFC 3339 with six decimals)');
  if (instant.seconds === zeroSecond && instant.nanos === 0) return null;
  return canonicalMicroTime.test(value) ? value : formatMicroTimestamp(instant);
}

function checkDuration(value: string): string | TypeMismatch {
  const nanoseconds = parseDuration(value);
  return nanoseconds === undefined ? mismatch(value, 'duration') : formatDuration(nanoseconds);
}

function checkQuantity(value: string): string | TypeMismatch {
  return storedQuantity(value.trim()) ?? mismatch(value, 'quantity');
}

/** Creates the result for a value of a wrong type. */
export function mismatch(value: JsonValue, expected: string): TypeMismatch {
  return new TypeMismatch(describeValue(value, expected), expected);
}

/** Describes a value for error messages: its type, and the value itself if the type alone is not the problem. */
export function describeValue(value: JsonValue, expected: string): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (isNumber(value)) return /int/.test(expected) ? `number ${value}` : 'number';
  if (typeof value === 'string') {
    return expected === 'string' || expected === 'bool' || /^int|double|^base64/.test(expected)
      ? 'string'
      : `string ${JSON.stringify(value.slice(0, 64))}`;
  }
  return typeof value === 'boolean' ? 'bool' : 'object';
}

/** Creates the result for a value that should be a container. */
export function containerMismatch(value: JsonValue, expected: 'object' | 'array'): TypeMismatch {
  return mismatch(value, expected);
}

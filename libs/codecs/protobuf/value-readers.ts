import {
  formatDuration,
  formatMicroTimestamp,
  type JsonValue,
  numberFromDouble,
  storedQuantity,
  timestampFrom,
} from '@binnacle/api-objects';
import type { ScalarType } from '@binnacle/api-types';
import { StatusError } from '@binnacle/status-errors';
import { parseJson } from '../json/parse-json.ts';
import { MalformedBytes } from './malformed-bytes.ts';
import { type WireReader, wireType } from './wire-reader.ts';

/** Reads a value after its tag; undefined if the bytes mean an unset value. */
type ValueReader = (reader: WireReader) => JsonValue | undefined;

/** Reader of a scalar type. */
interface ScalarReader {
  readonly wireType: number;
  readonly read: ValueReader;
  /** The value that JSON omits unless the field is a pointer; undefined if the type has no such value. */
  readonly zero?: JsonValue;
}

const earliestSecond = -62_167_219_200;
const zeroSecond = -62_135_596_800;
const latestSecond = 253_402_300_799;

function readInt32(reader: WireReader): number {
  const value = reader.integer();
  if ((value | 0) !== value) throw new MalformedBytes('an integer is out of the range of 32 bits');
  return value;
}

function readBytes(reader: WireReader): string {
  return reader.bytes().toString('base64');
}

function readTime(reader: WireReader): string | undefined {
  const instant = readInstant(reader);
  return instant && timestampFrom(instant.seconds * 1000);
}

function readMicroTime(reader: WireReader): string | undefined {
  const instant = readInstant(reader);
  return instant && formatMicroTimestamp(instant);
}

function readInstant(reader: WireReader): { seconds: number; nanos: number } | undefined {
  const end = reader.nested();
  if (reader.position === end) return undefined;
  let seconds = 0;
  let nanos = 0;
  readMembers(reader, end, tag => {
    if (tag === 0x08) seconds = reader.integer();
    else if (tag === 0x10) nanos = reader.integer();
    else return false;
    return true;
  });
  const fits = seconds >= earliestSecond && seconds <= latestSecond && nanos >= 0 && nanos < 1e9;
  if (!fits) throw new MalformedBytes('a time is out of range');
  // Go's zero time means an unset time.
  return seconds === zeroSecond && nanos === 0 ? undefined : { seconds, nanos };
}

function readDuration(reader: WireReader): string {
  let nanoseconds = 0;
  readMembers(reader, reader.nested(), tag => {
    if (tag !== 0x08) return false;
    nanoseconds = reader.integer();
    return true;
  });
  return formatDuration(nanoseconds);
}

function readQuantity(reader: WireReader): string {
  let text = '0';
  readMembers(reader, reader.nested(), tag => {
    if (tag !== 0x0a) return false;
    text = reader.text();
    return true;
  });
  const stored = storedQuantity(text === '' ? '0' : text);
  if (stored === undefined) throw new MalformedBytes('a quantity has no valid text');
  return stored;
}

function readIntOrString(reader: WireReader): number | string {
  let isText = false;
  let integer = 0;
  let text = '';
  readMembers(reader, reader.nested(), tag => {
    if (tag === 0x08) isText = reader.integer() === 1;
    else if (tag === 0x10) integer = readInt32(reader);
    else if (tag === 0x1a) text = reader.text();
    else return false;
    return true;
  });
  return isText ? text : integer;
}

function readJson(reader: WireReader): JsonValue | undefined {
  let raw: Uint8Array | undefined;
  readMembers(reader, reader.nested(), tag => {
    if (tag !== 0x0a) return false;
    raw = reader.bytes();
    return true;
  });
  if (raw === undefined || raw.length === 0) return undefined;
  try {
    const { value, values } = parseJson(raw, 'the embedded object is not valid JSON');
    reader.countValues(values);
    return value ?? undefined;
  } catch (error) {
    throw error instanceof StatusError && error.code === 400 ? new MalformedBytes(error.message) : error;
  }
}

/** Reads the fields of a small message; `member` reads a value and returns true if it recognizes the tag. */
function readMembers(reader: WireReader, end: number, member: (tag: number) => boolean): void {
  for (let fields = 0; reader.position < end; fields++) {
    // The message was counted as one value and normally has two or three fields.
    if (fields > 2) reader.countValues(1);
    const tag = reader.tag();
    if (!member(tag)) reader.skip(tag % 8);
  }
  if (reader.position !== end) throw new MalformedBytes('a value exceeds its message');
}

/** Readers of all scalar types. */
export const scalarReaders: Readonly<Record<ScalarType, ScalarReader>> = {
  string: { wireType: wireType.bytes, read: reader => reader.text(), zero: '' },
  bool: { wireType: wireType.varint, read: reader => reader.integer() !== 0, zero: false },
  int32: { wireType: wireType.varint, read: readInt32, zero: 0 },
  int64: { wireType: wireType.varint, read: reader => reader.int64(), zero: 0 },
  double: { wireType: wireType.fixed64, read: reader => numberFromDouble(reader.double()), zero: 0 },
  bytes: { wireType: wireType.bytes, read: readBytes },
  time: { wireType: wireType.bytes, read: readTime },
  microTime: { wireType: wireType.bytes, read: readMicroTime },
  duration: { wireType: wireType.bytes, read: readDuration, zero: '0s' },
  quantity: { wireType: wireType.bytes, read: readQuantity, zero: '0' },
  intOrString: { wireType: wireType.bytes, read: readIntOrString, zero: 0 },
  json: { wireType: wireType.bytes, read: readJson },
};

import { isNumber, type JsonValue, parseDuration, parseInstant } from '@binnacle/api-objects';
import type { ScalarType } from '@binnacle/api-types';
import { internalError } from '@binnacle/status-errors';
import { wireType } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** Writes a value without its tag; a nested message or text with its length. */
export type ValueWriter = (value: JsonValue, writer: WireWriter) => void;

/** Writer of a scalar type. */
interface ScalarCodec {
  readonly wireType: number;
  readonly write: ValueWriter;
  /** Writes the value of an unset field that is not a pointer; absent if nothing is written. */
  readonly writeUnset?: (writer: WireWriter) => void;
}

const field1Varint = 0x08;
const field1Bytes = 0x0a;
const field2Varint = 0x10;
const field3Bytes = 0x1a;
const empty = new Uint8Array(0);

function emptyMessage(writer: WireWriter): void {
  writer.varint(0);
}

function writeText(value: JsonValue, writer: WireWriter): void {
  if (typeof value !== 'string') throw wrongType('string', value);
  writer.text(value);
}

function writeInteger(value: JsonValue, writer: WireWriter): void {
  if (!isNumber(value)) throw wrongType('integer', value);
  writer.integer(value);
}

function writeBool(value: JsonValue, writer: WireWriter): void {
  writer.varint(value === true ? 1 : 0);
}

function writeDouble(value: JsonValue, writer: WireWriter): void {
  if (!isNumber(value)) throw wrongType('number', value);
  writer.double(Number(value));
}

function writeBytes(value: JsonValue, writer: WireWriter): void {
  if (typeof value !== 'string') throw wrongType('base64 string', value);
  writer.bytes(value === '' ? empty : Buffer.from(value, 'base64'));
}

function writeTime(value: JsonValue, writer: WireWriter): void {
  writeInstant(value, false, writer);
}

function writeMicroTime(value: JsonValue, writer: WireWriter): void {
  writeInstant(value, true, writer);
}

function writeInstant(value: JsonValue, fractions: boolean, writer: WireWriter): void {
  if (value === null) {
    writer.varint(0);
    return;
  }
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined) throw wrongType('time', value);
  const before = writer.length;
  writer.varint(fractions ? Math.floor(instant.nanos / 1000) * 1000 : 0);
  writer.varint(field2Varint);
  writer.integer(instant.seconds);
  writer.varint(field1Varint);
  writer.varint(writer.length - before);
}

function writeDuration(value: JsonValue, writer: WireWriter): void {
  const nanoseconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (nanoseconds === undefined) throw wrongType('duration', value);
  const before = writer.length;
  writer.integer(nanoseconds);
  writer.varint(field1Varint);
  writer.varint(writer.length - before);
}

function writeQuantity(value: JsonValue, writer: WireWriter): void {
  const before = writer.length;
  writer.text(isNumber(value) ? String(value) : quantityText(value));
  writer.varint(field1Bytes);
  writer.varint(writer.length - before);
}

function quantityText(value: JsonValue): string {
  if (typeof value !== 'string') throw wrongType('quantity', value);
  return value;
}

/** Writes the type (0 integer, 1 text), the integer and the text, always all three. */
function writeIntOrString(value: JsonValue, writer: WireWriter): void {
  if (typeof value !== 'number' && typeof value !== 'string') throw wrongType('integer or string', value);
  const isText = typeof value === 'string';
  const before = writer.length;
  writer.text(isText ? value : '');
  writer.varint(field3Bytes);
  writer.integer(isText ? 0 : value);
  writer.varint(field2Varint);
  writer.varint(isText ? 1 : 0);
  writer.varint(field1Varint);
  writer.varint(writer.length - before);
}

function writeJson(value: JsonValue, writer: WireWriter): void {
  const before = writer.length;
  writer.text(JSON.stringify(value));
  writer.varint(field1Bytes);
  writer.varint(writer.length - before);
}

/** Writers of all scalar types. */
export const scalarCodecs: Readonly<Record<ScalarType, ScalarCodec>> = {
  string: { wireType: wireType.bytes, write: writeText, writeUnset: emptyMessage },
  bool: { wireType: wireType.varint, write: writeBool, writeUnset: w => w.varint(0) },
  int32: { wireType: wireType.varint, write: writeInteger, writeUnset: w => w.varint(0) },
  int64: { wireType: wireType.varint, write: writeInteger, writeUnset: w => w.varint(0) },
  double: { wireType: wireType.fixed64, write: writeDouble, writeUnset: w => w.double(0) },
  bytes: { wireType: wireType.bytes, write: writeBytes },
  time: { wireType: wireType.bytes, write: writeTime, writeUnset: emptyMessage },
  microTime: { wireType: wireType.bytes, write: writeMicroTime, writeUnset: emptyMessage },
  duration: { wireType: wireType.bytes, write: writeDuration, writeUnset: w => writeDuration('0s', w) },
  quantity: { wireType: wireType.bytes, write: writeQuantity, writeUnset: w => writeQuantity('0', w) },
  intOrString: { wireType: wireType.bytes, write: writeIntOrString, writeUnset: w => writeIntOrString(0, w) },
  json: { wireType: wireType.bytes, write: writeJson, writeUnset: emptyMessage },
};

/** Creates an internal error for an object that does not match its type. */
export function wrongType(expected: string, value: JsonValue): Error {
  return internalError(`a value of type ${typeof value} cannot be encoded as ${expected}`);
}

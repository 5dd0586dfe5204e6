import { extensions } from '@binnacle/api-names';
import { isInt64 } from '@binnacle/api-objects';
import type { CelType, ObjectType } from '../types/type.ts';
import { CelError } from './cel-error.ts';
import { parseDurationInSchema } from './duration.ts';
import { type FieldReader, JsonMapValue, ObjectValue } from './map-value.ts';
import { parseDateOrTimestamp } from './timestamp.ts';
import { Uint } from './uint.ts';
import { type ListMark, ListValue, type Reader, type Value } from './value.ts';

const readers = new WeakMap<CelType, Reader>();

/**
 * Returns the reader that converts JSON values of a type; it reads objects and arrays in place. With a dynamic type, 64-bit
 * integers become ints. A value that does not match the type becomes an error; null becomes null if the type's schema is
 * nullable, and for types without a schema.
 */
function getReader(type: CelType): Reader {
  const known = readers.get(type);
  if (known !== undefined) return known;
  const read = nullable(type, readerOfKind(type));
  readers.set(type, read);
  return read;
}

/** Converts a JSON value to a value of a type; default: dynamic. */
export function valueFromJson(json: unknown, type: CelType = dynamic): Value {
  return getReader(type)(json);
}

const dynamic: CelType = { kind: 'dyn' };

function readerOfKind(type: CelType): Reader {
  switch (type.kind) {
    case 'primitive':
      return primitiveReaders[type.name];
    case 'list':
      return listReader(type.element, createListMark(type));
    case 'map':
      return mapReader(type.value);
    case 'object':
      return objectReader(type);
    default:
      return 'origin' in type && type.origin?.[extensions.intOrString] === true
        ? readIntOrString
        : readDynamic;
  }
}

function nullable(type: CelType, read: Reader): Reader {
  const origin = 'origin' in type ? type.origin : undefined;
  if (origin === undefined || origin['nullable'] === true) return raw => (raw === null ? null : read(raw));
  const refused = new CelError('invalid data, got null where the schema is not nullable');
  return raw => (raw === null ? refused : read(raw));
}

const primitiveReaders: Readonly<Record<(CelType & { kind: 'primitive' })['name'], Reader>> = {
  bool: raw => (typeof raw === 'boolean' ? raw : mismatch('a boolean')),
  int: raw => (isInt64(raw) ? BigInt(raw) : mismatch('an integer')),
  uint: raw => (isInt64(raw) && raw >= 0 ? new Uint(BigInt(raw)) : mismatch('an unsigned integer')),
  double: raw => {
    if (typeof raw === 'number') return raw;
    return typeof raw === 'bigint' ? Number(raw) : mismatch('a number');
  },
  string: raw => (typeof raw === 'string' ? raw : mismatch('a string')),
  bytes: readBytes,
  null_type: raw => (raw === null ? null : mismatch('null')),
  'google.protobuf.Timestamp': raw =>
    typeof raw === 'string' ? parseDateOrTimestamp(raw) : mismatch('a date or time'),
  'google.protobuf.Duration': raw =>
    typeof raw === 'string' ? parseDurationInSchema(raw) : mismatch('a duration'),
};

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
let latestBytes: { readonly text: string; readonly bytes: Uint8Array } | undefined;

/** Caches the latest bytes, since a loop may read one member repeatedly. */
function readBytes(raw: unknown): Value {
  if (typeof raw !== 'string') return mismatch('base64');
  if (latestBytes?.text === raw) return latestBytes.bytes;
  if (raw.length % 4 !== 0 || !base64.test(raw)) return mismatch('base64');
  latestBytes = { text: raw, bytes: new Uint8Array(Buffer.from(raw, 'base64')) };
  return latestBytes.bytes;
}

function listReader(element: CelType, mark: ListMark): Reader {
  const refused = mismatch('an array');
  let read: Reader | undefined;
  return raw => {
    if (!Array.isArray(raw)) return refused;
    // Types may be recursive: the element's reader is created on the first list.
    read ??= getReader(element);
    return ListValue.view(raw, read, mark);
  };
}

function createListMark(type: CelType & { kind: 'list' }): ListMark {
  if (type.listType === 'set') return 'set';
  return type.listType === 'map' && type.mapKeys !== undefined ? { mapKeys: type.mapKeys } : 'atomic';
}

function mapReader(value: CelType): Reader {
  const refused = mismatch('a map');
  let read: Reader | undefined;
  return raw => {
    if (!isRecord(raw)) return refused;
    read ??= getReader(value);
    return new JsonMapValue(raw, read);
  };
}

function objectReader(type: ObjectType): Reader {
  const refused = mismatch('an object');
  const fields = createFieldReader(type);
  const parts = { fields, undeclared: readDynamic };
  return raw => (isRecord(raw) ? new ObjectValue(raw, type, parts) : refused);
}

function createFieldReader(type: ObjectType): FieldReader {
  const known = new Map<string, { member: string; read: Reader }>();
  return name => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const field = type.field(name);
    if (field === undefined) return undefined;
    const made = { member: field.member, read: getReader(field.type) };
    known.set(name, made);
    return made;
  };
}

function readIntOrString(raw: unknown): Value {
  if (typeof raw === 'string') return raw;
  return isInt64(raw) ? BigInt(raw) : mismatch('an integer or a string');
}

function readDynamic(raw: unknown): Value {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return raw;
    case 'number':
      return Number.isSafeInteger(raw) ? BigInt(raw) : raw;
    default:
      break;
  }
  if (raw === null) return null;
  if (Array.isArray(raw)) return ListValue.view(raw, readDynamic, 'atomic');
  return isRecord(raw) ? new JsonMapValue(raw, readDynamic) : mismatch('JSON');
}

function mismatch(expected: string): CelError {
  return new CelError(`invalid data, expected ${expected}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

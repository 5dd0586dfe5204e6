import { extensions } from '@binnacle/api-names';
import { isJsonObject, isNumber, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { anySize, exactly, type Range } from '../cost/size-range.ts';
import type { CelType } from '../types/type.ts';
import { bytesOfCodePoint } from '../values/code-points.ts';

/** Maximum request size in bytes, which bounds values without limits of their own. */
const maxRequestBytes = 3 * 1024 * 1024;

/** Bytes of the shortest and longest JSON texts of a format, quotes included. */
const formats: Readonly<Record<string, Range>> = {
  duration: { min: 3, max: 32 },
  date: exactly(12),
  'date-time': { min: 21, max: 32 },
};

/** Size of `{}`, `[]` and `""`. */
const emptyBytes = 2;

const leastBytes = new WeakMap<JsonObject, number>();

/**
 * Returns the range of the number of elements, entries or bytes of values of a type, from the limits of its schema, or from the
 * maximum request size and the minimum size of each element. Undefined for a type without a schema.
 */
export function sizeOfPlace(type: CelType | undefined): Range | undefined {
  const origin = type !== undefined && 'origin' in type ? type.origin : undefined;
  return origin === undefined ? undefined : { min: 0, max: maxSizeFromSchema(origin) };
}

/** Returns the size range of a type: 1 for types of fixed size, otherwise any size. */
export function sizeOfType(type: CelType | undefined): Range {
  if (type?.kind !== 'primitive') return anySize;
  return type.name === 'string' || type.name === 'bytes' ? anySize : exactly(1);
}

function maxSizeFromSchema(schema: JsonObject): number {
  if (schema[extensions.intOrString] === true) return maxRequestBytes - emptyBytes;
  switch (schema['type']) {
    case 'array':
      return readLimit(schema, 'maxItems') ?? perRequest(getLeastBytes(schema['items']) + 1);
    case 'object': {
      const values = schema['additionalProperties'];
      // A member has a non-empty key with quotes, a colon and a comma.
      return (
        readLimit(schema, 'maxProperties') ??
        (values === undefined ? 1 : perRequest(getLeastBytes(values) + 6))
      );
    }
    case 'string':
      return maxTextFromSchema(schema);
    default:
      return 1;
  }
}

function maxTextFromSchema(schema: JsonObject): number {
  const format = formats[String(schema['format'])];
  if (format !== undefined) return format.max;
  const limit = readLimit(schema, 'maxLength');
  if (limit === undefined) return maxRequestBytes - emptyBytes;
  return schema['format'] === 'byte' ? limit : limit * bytesOfCodePoint;
}

function perRequest(bytes: number): number {
  return Math.floor((maxRequestBytes - emptyBytes) / bytes);
}

function readLimit(schema: JsonObject, name: string): number | undefined {
  const limit = schema[name];
  return isNumber(limit) ? Math.max(Number(limit), 0) : undefined;
}

/** Returns the size in bytes of the shortest JSON that a schema allows. */
function getLeastBytes(schema: JsonValue | undefined): number {
  if (!isJsonObject(schema)) return 1;
  const known = leastBytes.get(schema);
  if (known !== undefined) return known;
  const made = computeLeastBytes(schema);
  leastBytes.set(schema, made);
  return made;
}

function computeLeastBytes(schema: JsonObject): number {
  if (schema[extensions.intOrString] === true) return 1;
  switch (schema['type']) {
    case 'array':
      return emptyBytes;
    case 'object':
      return leastBytesOfObject(schema);
    case 'string':
      return formats[String(schema['format'])]?.min ?? emptyBytes;
    case 'boolean':
      return 'true'.length;
    default:
      return 1;
  }
}

/** Counts required fields without a default, which are always present: a quoted name, a colon, a comma and a value. */
function leastBytesOfObject(schema: JsonObject): number {
  const { required, properties } = schema;
  let bytes = emptyBytes;
  if (!Array.isArray(required) || !isJsonObject(properties)) return bytes;
  for (const name of required) {
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) continue;
    const field = properties[name];
    if (isJsonObject(field) && field['default'] === undefined)
      bytes += name.length + getLeastBytes(field) + 4;
  }
  return bytes;
}

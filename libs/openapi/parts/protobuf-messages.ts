import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import protobuf from 'protobufjs';

/** A message as protobufjs takes it. */
export type Message = Readonly<Record<string, unknown>>;

/** Encodes a message. */
export function encodeMessage(type: protobuf.Type, message: object): Uint8Array {
  return type.encode(message).finish();
}

/** The number of a field; throws for a field that the proto file does not have. */
export function fieldNumber(type: protobuf.Type, field: string): number {
  const found = type.fields[field];
  if (!found) throw new Error(`${type.fullName} has no field ${field}`);
  return found.id;
}

/** A message field whose message consists of these encoded parts. */
export function encodedField(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [lengthPrefix(number, length), ...parts];
}

/** Encoded elements of a repeated message field. */
export function encodedElements(number: number, elements: readonly Uint8Array[]): Uint8Array[] {
  return elements.flatMap(element => [lengthPrefix(number, element.length), element]);
}

/** A map as the list of its entries, in a message of its own. */
export function namedEntries(map: JsonObject, message: (value: JsonObject) => unknown): Message {
  return { additional_properties: entryList(map, message) };
}

/** The entries of a map. */
export function entryList(map: JsonObject, message: (value: JsonObject) => unknown): Message[] {
  // The maps of a document hold objects, and lists of names where `message` does not look into them.
  return Object.entries(map).map(([name, value]) => ({ name, value: message(value as JsonObject) }));
}

/** The extensions of a part of a document. */
export function extensionMessages(object: JsonObject): Message[] {
  return Object.entries(object)
    .filter(([key]) => key.startsWith('x-'))
    .map(([name, value]) => ({ name, value: anyMessage(value) }));
}

/** Any value travels as YAML, of which JSON is a part. */
export function anyMessage(value: JsonValue | undefined): Message {
  return { yaml: `${JSON.stringify(value)}\n` };
}

/** Those of the keys that an object has. */
export function pick(object: JsonObject, keys: readonly string[]): Message {
  return Object.fromEntries(keys.filter(key => object[key] !== undefined).map(key => [key, object[key]]));
}

/** The keys of a schema that bound its values, by the names of the fields that messages have for them. */
const limitFields = new Map([
  ...['title', 'maximum', 'minimum', 'pattern'].map(key => [key, key] as const),
  ['multipleOf', 'multiple_of'],
  ['exclusiveMaximum', 'exclusive_maximum'],
  ['exclusiveMinimum', 'exclusive_minimum'],
  ['maxLength', 'max_length'],
  ['minLength', 'min_length'],
  ['maxItems', 'max_items'],
  ['minItems', 'min_items'],
  ['uniqueItems', 'unique_items'],
  ['maxProperties', 'max_properties'],
  ['minProperties', 'min_properties'],
]);

/** The bounds of the values of a schema, in the fields that messages of both versions have. */
export function limitFieldsFromSchema(schema: JsonObject): Message {
  // The fields that a message has for numbers are doubles, and limits.
  return renamed(schema, limitFields, value => (typeof value === 'bigint' ? Number(value) : value));
}

/** The keys that an object has, converted, under other names. */
export function renamed(
  object: JsonObject,
  fields: ReadonlyMap<string, string>,
  convert: (value: JsonValue) => unknown,
): Message {
  const entries = [...fields].flatMap(([key, field]): [string, unknown][] => {
    const value = object[key];
    return value === undefined ? [] : [[field, convert(value)]];
  });
  return Object.fromEntries(entries);
}

/** A value that is an object; an empty one for anything else. */
export function asObjectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const lengthDelimited = 2;

function lengthPrefix(field: number, length: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32(field * 8 + lengthDelimited)
    .uint32(length)
    .finish();
}

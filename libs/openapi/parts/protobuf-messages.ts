import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import protobuf from 'protobufjs';

/** A message in the form that protobufjs accepts. */
export type Message = Readonly<Record<string, unknown>>;

/** Encodes a message. */
export function encodeMessage(type: protobuf.Type, message: object): Uint8Array {
  return type.encode(message).finish();
}

/** Returns the number of a field; throws for a field that the proto file does not have. */
export function fieldNumber(type: protobuf.Type, field: string): number {
  const found = type.fields[field];
  if (!found) throw new Error(`${type.fullName} has no field ${field}`);
  return found.id;
}

/** Encodes a message field from the encoded parts of its message. */
export function encodedField(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [lengthPrefix(number, length), ...parts];
}

/** Encodes a repeated message field from encoded elements. */
export function encodedElements(number: number, elements: readonly Uint8Array[]): Uint8Array[] {
  return elements.flatMap(element => [lengthPrefix(number, element.length), element]);
}

/** Converts a map to a message with a list of its entries. */
export function namedEntries(map: JsonObject, message: (value: JsonObject) => unknown): Message {
  return { additional_properties: entryList(map, message) };
}

/** Converts a map to a list of its entries. */
export function entryList(map: JsonObject, message: (value: JsonObject) => unknown): Message[] {
  // Map values are objects, or lists of names if `message` does not access them.
  return Object.entries(map).map(([name, value]) => ({ name, value: message(value as JsonObject) }));
}

/** Converts the extensions of an object to messages. */
export function extensionMessages(object: JsonObject): Message[] {
  return Object.entries(object)
    .filter(([key]) => key.startsWith('x-'))
    .map(([name, value]) => ({ name, value: anyMessage(value) }));
}

/** Converts any value to YAML text, of which JSON is a subset. */
export function anyMessage(value: JsonValue | undefined): Message {
  return { yaml: `${JSON.stringify(value)}\n` };
}

/** Returns the given keys of an object, if present. */
export function pick(object: JsonObject, keys: readonly string[]): Message {
  return Object.fromEntries(keys.filter(key => object[key] !== undefined).map(key => [key, object[key]]));
}

/** Schema keys that limit values, with the names of their message fields. */
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

/** Converts the value limits of a schema to message fields, which both versions share. */
export function limitFieldsFromSchema(schema: JsonObject): Message {
  // Numeric fields of the messages are doubles and limits, so bigints are converted to numbers.
  return renamed(schema, limitFields, value => (typeof value === 'bigint' ? Number(value) : value));
}

/** Returns the given keys of an object, if present, converted and renamed. */
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

/** Returns the value if it is an object, otherwise an empty object. */
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

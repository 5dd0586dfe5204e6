import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { createEmptyValue, type FieldDefinition, type MessageType } from '@binnacle/api-types';

/**
 * Creates an object of a type in which nothing is set: it has the fields that every output carries, empty. A create is an update of
 * this object, so that its manager does not get containers that exist in any case. For types without such fields, custom ones for
 * example, the object is `{}`.
 */
export function createEmptyObject(message: MessageType): JsonObject {
  const object: JsonObject = {};
  for (const field of message.fields.values()) {
    const value = emptyFieldValue(field);
    if (value !== undefined) object[field.name] = value;
  }
  return object;
}

function emptyFieldValue(field: FieldDefinition): JsonValue | undefined {
  const { name, type, alwaysPresent, pointer } = field;
  if (type.kind !== 'message') return createEmptyValue(field);
  return !pointer && (alwaysPresent || name === 'metadata') ? createEmptyObject(type.message) : undefined;
}

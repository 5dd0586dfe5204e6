import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { createEmptyValue, type FieldDefinition, type MessageType } from '@binnacle/api-types';

/**
 * Creates an object of a type without values: it only has the fields that every output contains, empty. A create is recorded as
 * an update of this object, so that its manager does not manage containers that always exist. For types without such fields, such
 * as custom resources, it is `{}`.
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

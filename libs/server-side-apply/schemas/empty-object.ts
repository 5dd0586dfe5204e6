import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { FieldDefinition, MessageType, ScalarType } from '@binnacle/api-types';

/**
 * An object of a type before anything is set: the fields that every output carries, empty. A create is an
 * update of this object, so that its manager does not get containers that are there in any case. Objects of
 * types without such fields, custom ones for example, begin as `{}`.
 */
export function createEmptyObject(message: MessageType): JsonObject {
  const object: JsonObject = {};
  for (const field of message.fields.values()) {
    const value = createEmptyValue(field);
    if (value !== undefined) object[field.name] = value;
  }
  return object;
}

function createEmptyValue({ name, type, alwaysPresent, pointer }: FieldDefinition): JsonValue | undefined {
  if ((!alwaysPresent && name !== 'metadata') || pointer) return undefined;
  if (type.kind === 'message') return createEmptyObject(type.message);
  return type.kind === 'scalar' ? emptyScalars[type.scalar] : null;
}

const emptyScalars: Readonly<Record<ScalarType, JsonValue>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: null,
  time: null,
  microTime: null,
  duration: '0s',
  quantity: '0',
  intOrString: 0,
  json: null,
};

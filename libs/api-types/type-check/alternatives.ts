import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import type { FieldDefinition, MessageType } from '../definitions/message-type.ts';

/** The field of a message of alternatives that can hold a value: by its shape, an object, a list or a bool. */
export function alternativeFor(message: MessageType, value: JsonValue): FieldDefinition | undefined {
  return message.wireFields.find(({ type }) => {
    if (Array.isArray(value)) return type.kind === 'list';
    if (isJsonObject(value)) return type.kind === 'message';
    return type.kind === 'scalar' && type.scalar === 'bool' && typeof value === 'boolean';
  });
}

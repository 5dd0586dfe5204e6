import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import type { FieldDefinition, MessageType } from '../definitions/message-type.ts';

/** Returns the field of an alternatives message that can hold a value, by its shape: object, list or bool. */
export function alternativeFor(message: MessageType, value: JsonValue): FieldDefinition | undefined {
  return message.wireFields.find(({ type }) => {
    if (Array.isArray(value)) return type.kind === 'list';
    if (isJsonObject(value)) return type.kind === 'message';
    return type.kind === 'scalar' && type.scalar === 'bool' && typeof value === 'boolean';
  });
}

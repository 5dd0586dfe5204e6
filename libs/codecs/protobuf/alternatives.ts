import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { alternativeFor, type FieldDefinition, type MessageType } from '@binnacle/api-types';

/**
 * Creates a function that converts a value to a message with one field per alternative; a value that fits none becomes an empty
 * message.
 */
export function alternativesFrom(message: MessageType): (value: JsonValue) => JsonObject {
  const flag = findFlag(message);
  return value => {
    const field = alternativeFor(message, value);
    if (field === undefined) return {};
    // The bool is true beside another alternative: a schema implies that the value is allowed.
    return flag === undefined ? { [field.name]: value } : { [flag.name]: true, [field.name]: value };
  };
}

/** Creates a function that returns the value of such a message; undefined if the message is empty. */
export function alternativesTo(message: MessageType): (object: JsonObject) => JsonValue | undefined {
  const flag = findFlag(message);
  // Order of precedence: list, object, bool.
  const others = message.wireFields
    .filter(field => field !== flag)
    .sort((a, b) => Number(b.type.kind === 'list') - Number(a.type.kind === 'list'));
  return object => {
    for (const { name } of others) if (object[name] !== undefined) return object[name];
    return flag && object[flag.name] === true;
  };
}

function findFlag(message: MessageType): FieldDefinition | undefined {
  return message.wireFields.find(({ type }) => type.kind === 'scalar' && type.scalar === 'bool');
}

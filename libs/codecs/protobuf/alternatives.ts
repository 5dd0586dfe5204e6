import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { alternativeFor, type FieldDefinition, type MessageType } from '@binnacle/api-types';

/** Gives a function that puts a value into the message of its alternatives; one that fits none is left out. */
export function alternativesFrom(message: MessageType): (value: JsonValue) => JsonObject {
  const flag = findFlag(message);
  return value => {
    const field = alternativeFor(message, value);
    if (field === undefined) return {};
    // Beside another alternative the bool is true: what has a schema is allowed.
    return flag === undefined ? { [field.name]: value } : { [flag.name]: true, [field.name]: value };
  };
}

/** Gives a function that takes the value out of the message of its alternatives; undefined when it has none. */
export function alternativesTo(message: MessageType): (object: JsonObject) => JsonValue | undefined {
  const flag = findFlag(message);
  // A list goes before an object, and both before the bool.
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

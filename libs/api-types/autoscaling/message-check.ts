import {
  isInt64,
  isIntOrString,
  isNumber,
  type JsonValue,
  parseTimestamp,
  tryParseQuantity,
} from '@binnacle/api-objects';
import type { FieldType, MessageType, ScalarType } from '../definitions/message-type.ts';
import { asObject } from '../values/json-access.ts';

/** Whether a JSON value only has the fields of a message, each with its type; null counts as absent. */
export function isOfMessage(message: MessageType, value: JsonValue): boolean {
  const object = asObject(value);
  if (!object) return false;
  return Object.entries(object).every(([key, entry]) => {
    const field = message.fields.get(key);
    return field !== undefined && (entry === null || isOfType(field.type, entry));
  });
}

function isOfType(type: FieldType, value: JsonValue): boolean {
  switch (type.kind) {
    case 'message':
      return isOfMessage(type.message, value);
    case 'list':
      return Array.isArray(value) && value.every(element => isOfType(type.element, element));
    case 'map': {
      const entries = asObject(value);
      return entries !== undefined && Object.values(entries).every(entry => isOfType(type.value, entry));
    }
    case 'scalar':
      return isOfScalar(type.scalar, value);
  }
}

function isOfScalar(scalar: ScalarType, value: JsonValue): boolean {
  switch (scalar) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int32':
      return typeof value === 'number' && isIntOrString(value);
    case 'int64':
      return isInt64(value);
    case 'double':
      return isNumber(value);
    case 'intOrString':
      return isIntOrString(value);
    case 'quantity':
      return typeof value === 'string' && tryParseQuantity(value) !== undefined;
    case 'time':
    case 'microTime':
      return typeof value === 'string' && parseTimestamp(value) !== undefined;
    case 'json':
      return true;
    case 'string':
    case 'bytes':
    case 'duration':
      return typeof value === 'string';
  }
}

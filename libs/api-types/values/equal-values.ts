import {
  compareQuantities,
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseQuantity,
} from '@binnacle/api-objects';
import type { FieldType, MessageType } from '../definitions/message-type.ts';
import { messageNamed } from '../descriptors/messages.ts';

/**
 * Compares two values of a message type, such as `core.v1.PodSpec`, like `equalJson`, but compares quantities by amount: `1E3`
 * equals `1k`.
 */
export function equalMessages(
  name: string,
  a: object | null | undefined,
  b: object | null | undefined,
): boolean {
  // Object types describe JSON.
  return equalValues({ kind: 'message', message: messageNamed(name) }, a as JsonObject, b as JsonObject);
}

/** Compares two values of a field type like `equalMessages`. */
export function equalValues(type: FieldType, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  // Most comparisons end here; different values are detected quickly.
  if (equalJson(a, b)) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'quantity' && equalAmounts(a, b);
    case 'message':
      return isJsonObject(a) && isJsonObject(b) && equalMembers(type.message, a, b);
    case 'list':
      return (
        Array.isArray(a) &&
        Array.isArray(b) &&
        a.length === b.length &&
        a.every((item, i) => equalValues(type.element, item, b[i]))
      );
    case 'map':
      return isJsonObject(a) && isJsonObject(b) && equalEntries(a, b, () => type.value);
  }
}

function equalMembers(message: MessageType, a: JsonObject, b: JsonObject): boolean {
  return equalEntries(a, b, key => message.fields.get(key)?.type);
}

function equalEntries(a: JsonObject, b: JsonObject, typeOf: (key: string) => FieldType | undefined): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(key => {
    if (!Object.hasOwn(b, key)) return false;
    const type = typeOf(key);
    return type === undefined ? equalJson(a[key], b[key]) : equalValues(type, a[key], b[key]);
  });
}

function equalAmounts(a: JsonValue, b: JsonValue): boolean {
  const [first, second] = [tryParseQuantity(String(a)), tryParseQuantity(String(b))];
  return first !== undefined && second !== undefined && compareQuantities(first, second) === 0;
}

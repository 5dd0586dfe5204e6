import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { FieldType, MessageType } from '../definitions/message-type.ts';
import { asList, asObject } from '../values/json-access.ts';

/**
 * Restores empty lists and maps of the old object in an object decoded from protobuf, which does not distinguish empty from
 * absent. JSON always contains some of these fields, so that a client that writes back what it read would change them, although
 * they may be immutable. Modifies `object`.
 */
export function keepEmptyLists(message: MessageType, object: JsonObject, old: JsonObject): void {
  for (const [name, before] of Object.entries(old)) {
    const field = message.fields.get(name);
    if (field === undefined) continue;
    const value = object[name] ?? null;
    if (value !== null) keepBelow(field.type, value, before);
    else if (isEmptyCollection(field.type, before)) object[name] = before;
  }
}

function keepBelow(type: FieldType, value: JsonValue, before: JsonValue | undefined): void {
  switch (type.kind) {
    case 'message': {
      const [object, old] = [asObject(value), asObject(before)];
      if (object && old) keepEmptyLists(type.message, object, old);
      return;
    }
    case 'list': {
      const old = asList(before);
      for (const [index, element] of asList(value).entries()) keepBelow(type.element, element, old[index]);
      return;
    }
    case 'map': {
      const old = asObject(before) ?? {};
      for (const [key, element] of Object.entries(asObject(value) ?? {}))
        keepBelow(type.value, element, old[key]);
      return;
    }
    case 'scalar':
      return;
  }
}

function isEmptyCollection(type: FieldType, value: JsonValue | undefined): value is JsonValue[] | JsonObject {
  const isCollection = type.kind === 'list' || type.kind === 'map';
  return isCollection && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

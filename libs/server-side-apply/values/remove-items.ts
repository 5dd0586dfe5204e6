import { isJsonObject, type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import {
  type ListSchema,
  type MapSchema,
  memberSchema,
  shapeOf,
  type TypedSchema,
} from '../schemas/typed-schema.ts';
import { isItemProblem, itemElement } from './list-items.ts';

/**
 * Removes the paths of a set from an object, each with everything below it. A container without remaining members becomes null.
 * The object is not modified; the result shares parts with it.
 */
export function removeItems(value: JsonValue, fields: FieldSet, schema: TypedSchema): JsonValue {
  return isEmptyFieldSet(fields) ? value : removeBelow(value, fields, schema);
}

function removeBelow(value: JsonValue, fields: FieldSet, schema: TypedSchema): JsonValue {
  switch (shapeOf(schema, value)) {
    case 'map':
      return isJsonObject(value) ? removeMembers(value, fields, schema.map!) : null; // The schema has the shape.
    case 'list':
      return Array.isArray(value) ? removeElements(value, fields, schema.list!) : null;
    default:
      return value;
  }
}

function removeMembers(value: JsonObject, fields: FieldSet, map: MapSchema): JsonValue {
  if (map.mapType === 'atomic') return null;
  const rest: JsonObject = {};
  let count = 0;
  let changed = false;
  for (const name of Object.keys(value)) {
    const member = value[name]!;
    const field = memberSchema(map, name);
    const below = fields.children.get(field.element);
    if (below?.included) {
      changed = true;
      continue;
    }
    const left = below === undefined ? member : removeBelow(member, below, field.schema);
    if (left !== member) changed = true;
    setOwnProperty(rest, name, left);
    count++;
  }
  if (count === 0) return null;
  return changed ? rest : value;
}

function removeElements(items: JsonValue[], fields: FieldSet, list: ListSchema): JsonValue {
  if (list.listType === 'atomic') return null;
  const rest: JsonValue[] = [];
  let changed = false;
  for (const item of items) {
    const element = itemElement(item, list);
    const below = isItemProblem(element) ? undefined : fields.children.get(element);
    if (below?.included) {
      changed = true;
      continue;
    }
    const left = below === undefined ? item : removeBelow(item, below, list.element);
    if (left !== item) changed = true;
    rest.push(left);
  }
  if (rest.length === 0) return null;
  return changed ? rest : items;
}

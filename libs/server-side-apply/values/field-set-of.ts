import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import {
  emptyFieldSet,
  type FieldSet,
  fieldSetNode,
  isEmptyFieldSet,
  ownedLeaf,
  ownedNode,
} from '../field-sets/field-set.ts';
import type { PathElement } from '../field-sets/path-element.ts';
import {
  type ListSchema,
  type MapSchema,
  memberSchema,
  shapeOf,
  type TypedSchema,
} from '../schemas/typed-schema.ts';
import { isItemProblem, itemElement } from './list-items.ts';

/**
 * The fields that an object which somebody applies speaks of: leaves (scalars and atomic values), elements of
 * granular lists, entries of maps, and containers without content. Elements of a list that lack their key are
 * left out, see `validate`; of elements that stand there twice only the element is in the set, not its content.
 */
export function fieldSetOf(value: JsonValue, schema: TypedSchema): FieldSet {
  const set = nodeOf(value, schema);
  return set.owned ? fieldSetNode(false, set.children) : set;
}

function nodeOf(value: JsonValue, schema: TypedSchema): FieldSet {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return ownedLeaf;
    case 'map':
      return mapNode(value, schema.map!); // the shape is there
    case 'list':
      return listNode(value, schema.list!);
    default:
      return emptyFieldSet;
  }
}

function mapNode(value: JsonValue, map: MapSchema): FieldSet {
  if (map.mapType === 'atomic') return ownedLeaf;
  if (!isJsonObject(value)) return emptyFieldSet;
  const children = new Map<PathElement, FieldSet>();
  for (const name of Object.keys(value)) {
    const member = value[name]!;
    const field = memberSchema(map, name);
    let node = nodeOf(member, field.schema);
    if (member === null || isEmptyMap(member) || !map.fields.has(name)) node = ownedNode(node);
    if (!isEmptyFieldSet(node)) children.set(field.element, node);
  }
  return fieldSetNode(false, children);
}

function listNode(value: JsonValue, list: ListSchema): FieldSet {
  if (list.listType === 'atomic') return ownedLeaf;
  if (!Array.isArray(value)) return emptyFieldSet;
  const children = new Map<PathElement, FieldSet>();
  for (const item of value) {
    const element = itemElement(item, list);
    if (isItemProblem(element)) continue;
    children.set(element, children.has(element) ? ownedLeaf : ownedNode(nodeOf(item, list.element)));
  }
  return fieldSetNode(false, children);
}

function isEmptyMap(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

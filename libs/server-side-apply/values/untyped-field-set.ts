import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@binnacle/api-objects';
import { type FieldSet, fieldSetNode, includedLeaf } from '../field-sets/field-set.ts';
import { fieldElement, indexElement, keyElement, type PathElement } from '../field-sets/path-element.ts';

/**
 * Returns the leaves of a value of unknown type: list elements are identified by their `key`, `id` and `name` if present,
 * otherwise by index. Throws a RangeError for excessive nesting.
 */
export function untypedFieldSetFromValue(value: JsonValue): FieldSet {
  const node = createNode(value);
  return fieldSetNode(false, node.children);
}

function createNode(value: JsonValue): FieldSet {
  if (Array.isArray(value)) {
    return containerNode(value.map((item, i) => [guessedElement(item, i), item]));
  }
  if (!isJsonObject(value)) return includedLeaf;
  return containerNode(Object.keys(value).map(name => [fieldElement(name), value[name]!]));
}

function containerNode(members: readonly (readonly [PathElement, JsonValue])[]): FieldSet {
  return members.length === 0
    ? includedLeaf
    : fieldSetNode(false, new Map(members.map(([element, value]) => [element, createNode(value)])));
}

function guessedElement(item: JsonValue, position: number): PathElement {
  if (!isJsonObject(item)) return indexElement(position);
  const keys: JsonObject = {};
  for (const name of ['id', 'key', 'name']) {
    const value = ownProperty(item, name);
    if (value !== undefined && (typeof value !== 'object' || value === null)) keys[name] = value;
  }
  // A null does not identify an element.
  const named = Object.values(keys).some(value => value !== null);
  return named ? keyElement(keys) : indexElement(position);
}

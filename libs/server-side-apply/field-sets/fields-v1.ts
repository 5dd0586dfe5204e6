import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { union } from './algebra.ts';
import { depthLimit } from './depth-limit.ts';
import { emptyFieldSet, type FieldSet, fieldSetNode } from './field-set.ts';
import { type PathElement, parsePathElement, sortPathElements } from './path-element.ts';

/**
 * Reads a field set from its FieldsV1 form; null is the empty set. A kind of path element that this server does not
 * know is dropped with all below it. Throws when the value is no field set, or nests too deep.
 */
export function fieldSetFromJson(fieldsV1: JsonValue): FieldSet {
  const set = readNode(fieldsV1, 0);
  return set.included ? fieldSetNode(false, set.children) : set;
}

/** Writes a field set in its FieldsV1 form, members in canonical order. */
export function fieldSetToJson(set: FieldSet): JsonObject {
  const json: JsonObject = {};
  if (set.included && set.children.size > 0) json['.'] = {};
  for (const element of sortPathElements(set.children.keys())) {
    json[element] = fieldSetToJson(set.children.get(element)!);
  }
  return json;
}

function readNode(value: JsonValue, depth: number): FieldSet {
  if (depth > depthLimit) throw new Error(`a field set nests at most ${depthLimit} levels deep`);
  if (value === null) return depth === 0 ? emptyFieldSet : fieldSetNode(true, undefined);
  if (!isJsonObject(value)) throw new Error('a field set consists of objects only');
  let included = false;
  const children = new Map<PathElement, FieldSet>();
  for (const key of Object.keys(value)) {
    if (key === '.') {
      included = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element === undefined) continue;
    const child = readNode(value[key]!, depth + 1);
    const other = children.get(element); // two texts may stand for one element
    children.set(element, other === undefined ? child : union(other, child));
  }
  // An element without anything below it is in the set by standing there.
  return fieldSetNode(included || (depth > 0 && children.size === 0), children);
}

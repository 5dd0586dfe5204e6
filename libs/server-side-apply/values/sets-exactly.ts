import { equalJson, isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import {
  type ListSchema,
  type MapSchema,
  memberSchema,
  shapeOf,
  type TypedSchema,
} from '../schemas/typed-schema.ts';
import { hasMembers } from './compare.ts';
import { itemElement } from './list-items.ts';

/** A value before a write, undefined if it was absent, and after it. */
interface Written {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
}

/**
 * Whether the fields that a write adds or changes are known to be exactly those of a set, as `compare` would find them. Makes no set. False for
 * some writes of these fields too: those that change the shape of a value or a list that has elements, or whose list has the
 * elements in another order.
 */
export function setsExactly(set: FieldSet, written: Written, schema: TypedSchema): boolean {
  const { before, after } = written;
  const shape = shapeOf(schema, after);
  if (before !== undefined && shapeOf(schema, before) !== shape) return false;
  if (shape === 'map') return mapSetsExactly(set, written, schema.map!); // The schema has the shape.
  if (shape === 'list') return listSetsExactly(set, written, schema.list!);
  return leafSetsExactly(set, written);
}

function leafSetsExactly(set: FieldSet, { before, after }: Written): boolean {
  const isSet = before === undefined || !equalJson(before, after);
  return set.included === isSet && set.children.size === 0;
}

function mapSetsExactly(set: FieldSet, written: Written, map: MapSchema): boolean {
  const { before, after } = written;
  const old = isJsonObject(before) ? before : {};
  const now = isJsonObject(after) ? after : {};
  if (map.mapType === 'atomic' || (!hasMembers(old) && !hasMembers(now)))
    return leafSetsExactly(set, written);
  if (set.included !== (before === undefined)) return false;
  let found = 0;
  for (const name in now) {
    const member = now[name]!;
    const oldMember = Object.hasOwn(old, name) ? old[name] : undefined;
    if (member === oldMember) continue;
    const { element, schema } = memberSchema(map, name);
    const child = set.children.get(element) ?? emptyFieldSet;
    if (!setsExactly(child, { before: oldMember, after: member }, schema)) return false;
    if (!isEmptyFieldSet(child)) found++;
  }
  return found === set.children.size;
}

function listSetsExactly(set: FieldSet, written: Written, list: ListSchema): boolean {
  const { before, after } = written;
  const old = Array.isArray(before) ? before : [];
  const now = Array.isArray(after) ? after : [];
  if (list.listType === 'atomic' || old.length + now.length === 0) return leafSetsExactly(set, written);
  if (old.length > 0 || now.length !== set.children.size || set.included !== (before === undefined))
    return false;
  let at = 0;
  // Each element of the set occurs once: so do those of a list that has them in the same order.
  for (const [element, child] of set.children) {
    const item = now[at++]!; // Both have the same length.
    if (itemElement(item, list) !== element) return false;
    if (!setsExactly(child, { before: undefined, after: item }, list.element)) return false;
  }
  return true;
}

import { type FieldSet, fieldSetNode, includedLeaf, isEmptyFieldSet } from '../field-sets/field-set.ts';
import type { PathElement } from '../field-sets/path-element.ts';
import { isDeducedMap, type TypedSchema } from '../schemas/typed-schema.ts';
import { schemaAt } from './named-fields.ts';

/**
 * Adapts a set recorded under an earlier schema to the current schema (spec 1, server-side apply, 11): a manager of parts of a
 * value that is now atomic gets the whole value; a manager of a value that is now granular keeps only the container, and its
 * parts have no manager. Returns the set itself if nothing changes.
 */
export function reconcile(set: FieldSet, schema: TypedSchema): FieldSet {
  if (fitting.get(set) === schema) return set;
  const fitted = fittedTo(set, schema);
  if (fitted === set) fitting.set(set, schema);
  return fitted;
}

/** Sets known to match a schema: stored objects share their sets. */
const fitting = new WeakMap<FieldSet, TypedSchema>();

function fittedTo(set: FieldSet, schema: TypedSchema): FieldSet {
  const { map, list } = schema;
  const isWhole = set.included && set.children.size === 0;
  if (isWhole || isEmptyFieldSet(set)) return set;
  if (map !== undefined) {
    if (isDeducedMap(map)) return set;
    return map.mapType === 'atomic' ? includedLeaf : reconcileChildren(set, schema);
  }
  if (schema.scalar !== undefined || list === undefined) return set;
  return list.listType === 'atomic' ? includedLeaf : reconcileChildren(set, schema);
}

function reconcileChildren(set: FieldSet, schema: TypedSchema): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    if (child.children.size === 0) continue; // Included as a whole.
    const below = schemaAt(schema, element);
    const node = below.known ? fittedTo(child, below.schema) : child;
    if (node === child) continue;
    children ??= new Map(set.children);
    children.set(element, node);
  }
  return children === undefined ? set : fieldSetNode(set.included, children);
}

import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { recursiveDifference, union } from '../field-sets/algebra.ts';
import {
  emptyFieldSet,
  type FieldSet,
  fieldSetNode,
  includedLeaf,
  isEmptyFieldSet,
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

/** The difference of two objects as paths; added or removed containers are named with their content. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two objects of one schema; identical JavaScript values are skipped. */
export function compare(before: JsonValue, after: JsonValue, schema: TypedSchema): Comparison {
  return compareValues(before, after, schema);
}

/** Returns the comparison without the given paths and all paths below them. */
export function comparisonWithout(comparison: Comparison, fields: FieldSet | undefined): Comparison {
  if (fields === undefined || isEmptyFieldSet(fields) || comparison === same) return comparison;
  return {
    added: recursiveDifference(comparison.added, fields),
    modified: recursiveDifference(comparison.modified, fields),
    removed: recursiveDifference(comparison.removed, fields),
  };
}

const same: Comparison = { added: emptyFieldSet, modified: emptyFieldSet, removed: emptyFieldSet };
const addedLeaf: Comparison = { ...same, added: includedLeaf };
const modifiedLeaf: Comparison = { ...same, modified: includedLeaf };
const removedLeaf: Comparison = { ...same, removed: includedLeaf };

type Maybe = JsonValue | undefined;

function compareValues(before: Maybe, after: Maybe, schema: TypedSchema): Comparison {
  if (before === after) return same;
  const shape = shapeOf(schema, after === undefined ? before : after);
  const comparison = compareAs(shape, before, { after, schema });
  if (before === undefined || after === undefined) return comparison;
  const shapeBefore = shapeOf(schema, before);
  if (shapeBefore === shape) return comparison;
  // After a change of shape everything below the old value is removed, everything below the new one added.
  return unionOfComparisons(comparison, compareAs(shapeBefore, before, { after, schema }));
}

function compareAs(
  shape: ReturnType<typeof shapeOf>,
  before: Maybe,
  context: { readonly after: Maybe; readonly schema: TypedSchema },
): Comparison {
  const { after, schema } = context;
  if (shape === 'map') return compareMaps(before, after, schema.map!); // The schema has the shape.
  return shape === 'list' ? compareLists(before, after, schema.list!) : compareLeaves(before, after);
}

function compareLeaves(before: Maybe, after: Maybe): Comparison {
  if (before === undefined) return addedLeaf;
  if (after === undefined) return removedLeaf;
  return equalJson(before, after) ? same : modifiedLeaf;
}

function compareMaps(before: Maybe, after: Maybe, map: MapSchema): Comparison {
  const old = isJsonObject(before) ? before : noMembers;
  const now = isJsonObject(after) ? after : noMembers;
  if (map.mapType === 'atomic' || (!hasMembers(old) && !hasMembers(now))) return compareLeaves(before, after);
  let changes: Changes | undefined;
  for (const name in now) {
    const member = now[name]!;
    const oldMember = Object.hasOwn(old, name) ? old[name] : undefined;
    if (member === oldMember) continue;
    const { element, schema } = memberSchema(map, name);
    changes = withChange(changes, element, compareValues(oldMember, member, schema));
  }
  for (const name in old) {
    if (Object.hasOwn(now, name)) continue;
    const { element, schema } = memberSchema(map, name);
    changes = withChange(changes, element, compareValues(old[name], undefined, schema));
  }
  return (changes ?? noChanges).result(before, after);
}

function withChange(
  changes: Changes | undefined,
  element: PathElement,
  comparison: Comparison,
): Changes | undefined {
  if (comparison === same) return changes;
  const changed = changes ?? new Changes();
  changed.add(element, comparison);
  return changed;
}

/** Whether an object has any member. */
export function hasMembers(object: JsonObject): boolean {
  for (const _ in object) return true;
  return false;
}

const noMembers: JsonObject = {};

function compareLists(before: Maybe, after: Maybe, list: ListSchema): Comparison {
  const old = Array.isArray(before) ? before : [];
  const now = Array.isArray(after) ? after : [];
  if (list.listType === 'atomic' || old.length + now.length === 0) return compareLeaves(before, after);
  const oldItems = itemsByElement(old, list);
  const newItems = itemsByElement(now, list);
  const changes = new Changes();
  for (const [element, item] of newItems) {
    changes.add(element, compareItems(oldItems.get(element), item, list.element));
  }
  for (const [element, item] of oldItems) {
    if (!newItems.has(element)) changes.add(element, compareItems(item, undefined, list.element));
  }
  return changes.result(before, after);
}

/** Compares a duplicated list element as one atomic value, because managers only know its key. */
function compareItems(old: Maybe | Repeated, now: Maybe | Repeated, schema: TypedSchema): Comparison {
  if (old instanceof Repeated) {
    if (now instanceof Repeated) return equalJson(old.items, now.items) ? same : modifiedLeaf;
    return unionOfComparisons(removedLeaf, compareValues(undefined, now, schema));
  }
  if (now instanceof Repeated) return unionOfComparisons(addedLeaf, compareValues(old, undefined, schema));
  return compareValues(old, now, schema);
}

/** The occurrences of a list element that is present more than once. */
class Repeated {
  readonly items: JsonValue[];

  constructor(items: JsonValue[]) {
    this.items = items;
  }
}

function itemsByElement(
  items: readonly JsonValue[],
  list: ListSchema,
): Map<PathElement, JsonValue | Repeated> {
  const byElement = new Map<PathElement, JsonValue | Repeated>();
  for (const item of items) {
    const element = itemElement(item, list);
    if (isItemProblem(element)) continue;
    const other = byElement.get(element);
    if (other === undefined) byElement.set(element, item);
    else if (other instanceof Repeated) other.items.push(item);
    else byElement.set(element, new Repeated([other, item]));
  }
  return byElement;
}

function unionOfComparisons(a: Comparison, b: Comparison): Comparison {
  if (a === same) return b;
  if (b === same) return a;
  return {
    added: union(a.added, b.added),
    modified: union(a.modified, b.modified),
    removed: union(a.removed, b.removed),
  };
}

/** Collects the changes of the members of one container. */
class Changes {
  /** Most containers have no changes of a kind, and then need no map. */
  #added: Members | undefined;
  #modified: Members | undefined;
  #removed: Members | undefined;

  add(element: PathElement, comparison: Comparison): void {
    if (comparison === same) return;
    const { added, modified, removed } = comparison;
    if (!isEmptyFieldSet(added)) this.#added = withMember(this.#added, element, added);
    if (!isEmptyFieldSet(modified)) this.#modified = withMember(this.#modified, element, modified);
    if (!isEmptyFieldSet(removed)) this.#removed = withMember(this.#removed, element, removed);
  }

  result(before: Maybe, after: Maybe): Comparison {
    const added = fieldSetNode(before === undefined, this.#added);
    const modified = fieldSetNode(false, this.#modified);
    const removed = fieldSetNode(after === undefined, this.#removed);
    const changed = !isEmptyFieldSet(added) || !isEmptyFieldSet(modified) || !isEmptyFieldSet(removed);
    return changed ? { added, modified, removed } : same;
  }
}

const noChanges = new Changes();

/** Children of a field set under construction. */
type Members = Map<PathElement, FieldSet>;

function withMember(members: Members | undefined, element: PathElement, set: FieldSet): Members {
  return (members ?? new Map<PathElement, FieldSet>()).set(element, set);
}

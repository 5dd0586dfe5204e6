import { emptyFieldSet, type FieldSet, fieldSetNode, isEmptyFieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** Returns the paths that are in either set; returns the first set itself if the second adds nothing. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptyFieldSet(b)) return a;
  if (isEmptyFieldSet(a)) return b;
  if (b.children.size === 0) return a.included ? a : fieldSetNode(b.included, a.children);
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, ofB] of b.children) {
    const ofA = a.children.get(element);
    const both = ofA === undefined ? ofB : union(ofA, ofB);
    if (both === ofA) continue;
    children ??= new Map(a.children);
    children.set(element, both);
  }
  if (children === undefined && a.included === (a.included || b.included)) return a;
  return fieldSetNode(a.included || b.included, children ?? a.children);
}

/** Returns the paths that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const [small, large] = a.children.size <= b.children.size ? [a, b] : [b, a];
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, ofSmall] of small.children) {
    const ofLarge = large.children.get(element);
    if (ofLarge === undefined) continue;
    const common = intersection(ofSmall, ofLarge);
    if (isEmptyFieldSet(common)) continue;
    children ??= new Map();
    children.set(element, common);
  }
  return fieldSetNode(a.included && b.included, children);
}

/** Returns the paths of the first set that are not in the second; paths below a path of the second are kept. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** Returns the paths of the first set that are neither in the second nor below one of its paths. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (a === b || (recursive && b.included)) return emptyFieldSet;
  if (isEmptyFieldSet(b) || isEmptyFieldSet(a)) return a;
  const children = b.children.size === 0 ? a.children : childrenWithout(a, b, recursive);
  const included = a.included && !b.included;
  return included === a.included && children === a.children ? a : fieldSetNode(included, children);
}

function childrenWithout(a: FieldSet, b: FieldSet, recursive: boolean): ReadonlyMap<PathElement, FieldSet> {
  let children: Map<PathElement, FieldSet> | undefined;
  let unchanged = 0;
  for (const [element, ofA] of a.children) {
    const ofB = b.children.get(element);
    const rest = ofB === undefined ? ofA : subtract(ofA, ofB, recursive);
    if (children === undefined && rest === ofA) {
      unchanged++;
      continue;
    }
    // Usually either nothing or most of the children are removed: collecting the remaining ones is cheaper than copying and
    // deleting.
    children ??= takeFirst(a.children, unchanged);
    if (!isEmptyFieldSet(rest)) children.set(element, rest);
  }
  return children ?? a.children;
}

function takeFirst(children: ReadonlyMap<PathElement, FieldSet>, count: number): Map<PathElement, FieldSet> {
  const first = new Map<PathElement, FieldSet>();
  if (count === 0) return first;
  for (const [element, child] of children) {
    first.set(element, child);
    if (first.size === count) break;
  }
  return first;
}

/** Returns the paths without descendants in the set. */
export function leaves(set: FieldSet): FieldSet {
  if (set.children.size === 0) return set;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) children.set(element, leaves(child));
  return fieldSetNode(false, children);
}

/** Whether a set contains every path of another set. */
export function includes(set: FieldSet, part: FieldSet): boolean {
  if (set === part) return true;
  if ((part.included && !set.included) || part.children.size > set.children.size) return false;
  for (const [element, ofPart] of part.children) {
    const ofSet = set.children.get(element);
    if (ofSet === undefined || !includes(ofSet, ofPart)) return false;
  }
  return true;
}

/** Whether two sets contain the same paths. */
export function equalFieldSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.included !== b.included || a.children.size !== b.children.size) return false;
  for (const [element, ofA] of a.children) {
    const ofB = b.children.get(element);
    if (ofB === undefined || !equalFieldSets(ofA, ofB)) return false;
  }
  return true;
}

import { type PathElement, sortPathElements } from './path-element.ts';

/**
 * A set of paths into an object, such as the fields of one manager. Immutable; subsets may be shared.
 *
 * A set is a tree that mirrors the object. `included` means that the path to the node is in the set, `children` contains the
 * paths below it. A container may be included without its content and vice versa: a manager of only `.data` manages the existence
 * of the map, a manager of `.data.a` a single entry. Atomic values (scalars, and lists and maps declared atomic) are leaves,
 * included as a whole; no set contains paths below them. No child is empty, and the root is not included, so two sets are equal
 * exactly when their trees are equal.
 */
export interface FieldSet {
  readonly included: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A path: the steps from the root of the object. */
export type Path = readonly PathElement[];

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** The empty set. */
export const emptyFieldSet: FieldSet = Object.freeze({ included: false, children: noChildren });

/** The set at the end of a path without paths below it. */
export const includedLeaf: FieldSet = Object.freeze({ included: true, children: noChildren });

/** Creates a node of a set; nodes without children are shared constants. */
export function fieldSetNode(
  included: boolean,
  children: ReadonlyMap<PathElement, FieldSet> | undefined,
): FieldSet {
  if (children === undefined || children.size === 0) return included ? includedLeaf : emptyFieldSet;
  return { included, children };
}

/** Returns the node with its own path included. */
export function includedNode(node: FieldSet): FieldSet {
  return node.included ? node : fieldSetNode(true, node.children);
}

/** Creates a set from paths. */
export function fieldSetOfPaths(paths: Iterable<Path>): FieldSet {
  const root: MutableNode = { included: false, children: new Map() };
  for (const path of paths) {
    let node = root;
    for (const element of path) {
      let child = node.children.get(element);
      if (child === undefined) {
        child = { included: false, children: new Map() };
        node.children.set(element, child);
      }
      node = child;
    }
    if (node !== root) node.included = true;
  }
  return root;
}

/** Whether the set is empty. */
export function isEmptyFieldSet(set: FieldSet): boolean {
  return !set.included && set.children.size === 0;
}

/** Whether the set contains the path itself. */
export function hasPath(set: FieldSet, path: Path): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node.children.get(element);
    if (node === undefined) return false;
  }
  return node.included;
}

/** Yields all paths of the set in canonical order: at each level first the included elements, then the paths below each. */
export function* listPaths(set: FieldSet, prefix: Path = []): Generator<Path> {
  const elements = sortPathElements(set.children.keys());
  for (const element of elements) if (set.children.get(element)!.included) yield [...prefix, element];
  for (const element of elements) {
    const child = set.children.get(element)!;
    if (child.children.size > 0) yield* listPaths(child, [...prefix, element]);
  }
}

interface MutableNode {
  included: boolean;
  readonly children: Map<PathElement, MutableNode>;
}

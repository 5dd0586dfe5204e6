import { type PathElement, sortPathElements } from './path-element.ts';

/**
 * A set of paths into an object: the fields of one manager, for example. Immutable; subsets are shared freely.
 *
 * It is a tree that follows the object. `included` says that the path down to here is in the set, `children` holds what
 * is below. A container may be included without its content and the other way round: to manage `.data` alone is a say
 * in whether there is a map, to manage `.data.a` a say in one entry only. Values that are atomic (scalars, and lists and
 * maps declared so) are leaves, included as a whole; nothing below them is ever in a set. No child is empty, and the
 * root itself is not included, so two sets are equal exactly when their trees are.
 */
export interface FieldSet {
  readonly included: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A path: its steps from the root of the object. */
export type Path = readonly PathElement[];

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** The set without paths. */
export const emptyFieldSet: FieldSet = Object.freeze({ included: false, children: noChildren });

/** The set at the end of a path with nothing below it. */
export const includedLeaf: FieldSet = Object.freeze({ included: true, children: noChildren });

/** Makes a node of a set; without content it is one of the shared nodes. */
export function fieldSetNode(
  included: boolean,
  children: ReadonlyMap<PathElement, FieldSet> | undefined,
): FieldSet {
  if (children === undefined || children.size === 0) return included ? includedLeaf : emptyFieldSet;
  return { included, children };
}

/** The node with the path to it in the set as well. */
export function includedNode(node: FieldSet): FieldSet {
  return node.included ? node : fieldSetNode(true, node.children);
}

/** The set of these paths. */
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

/** Asks whether nothing is in the set. */
export function isEmptyFieldSet(set: FieldSet): boolean {
  return !set.included && set.children.size === 0;
}

/** Asks whether the path itself is in the set. */
export function hasPath(set: FieldSet, path: Path): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node.children.get(element);
    if (node === undefined) return false;
  }
  return node.included;
}

/** All paths of the set in canonical order: at each level the included elements first, then what is below each. */
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

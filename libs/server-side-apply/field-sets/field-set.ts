import { type PathElement, sortPathElements } from './path-element.ts';

/**
 * A set of paths into an object: the fields of one manager, for example. Immutable; subsets are shared freely.
 *
 * It is a tree that follows the object. `owned` says that the path down to here is in the set, `children` holds what
 * is below. A container may be owned without its content and the other way round: owning `.data` alone is a say in
 * whether there is a map, owning `.data.a` a say in one entry only. Values that are atomic (scalars, and lists and maps
 * declared so) are leaves, owned as a whole; nothing below them is ever in a set. No child is empty, and the root
 * itself is not owned, so two sets are equal exactly when their trees are.
 */
export interface FieldSet {
  readonly owned: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A path: its steps from the root of the object. */
export type Path = readonly PathElement[];

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** The set without paths. */
export const emptyFieldSet: FieldSet = Object.freeze({ owned: false, children: noChildren });

/** What stands at the end of a path with nothing below it. */
export const ownedLeaf: FieldSet = Object.freeze({ owned: true, children: noChildren });

/** Makes a node of a set; without content it is one of the shared nodes. */
export function fieldSetNode(
  owned: boolean,
  children: ReadonlyMap<PathElement, FieldSet> | undefined,
): FieldSet {
  if (children === undefined || children.size === 0) return owned ? ownedLeaf : emptyFieldSet;
  return { owned, children };
}

/** The node with the path to it in the set as well. */
export function ownedNode(node: FieldSet): FieldSet {
  return node.owned ? node : fieldSetNode(true, node.children);
}

/** The set of these paths. */
export function fieldSetOfPaths(paths: Iterable<Path>): FieldSet {
  const root: MutableNode = { owned: false, children: new Map() };
  for (const path of paths) {
    let node = root;
    for (const element of path) {
      let child = node.children.get(element);
      if (child === undefined) {
        child = { owned: false, children: new Map() };
        node.children.set(element, child);
      }
      node = child;
    }
    if (node !== root) node.owned = true;
  }
  return root;
}

/** Asks whether nothing is in the set. */
export function isEmptyFieldSet(set: FieldSet): boolean {
  return !set.owned && set.children.size === 0;
}

/** Asks whether the path itself is in the set. */
export function hasPath(set: FieldSet, path: Path): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node.children.get(element);
    if (node === undefined) return false;
  }
  return node.owned;
}

/** All paths of the set in canonical order: at each level the owned elements first, then what is below each. */
export function* pathsOf(set: FieldSet, prefix: Path = []): Generator<Path> {
  const elements = sortPathElements(set.children.keys());
  for (const element of elements) if (set.children.get(element)!.owned) yield [...prefix, element];
  for (const element of elements) {
    const child = set.children.get(element)!;
    if (child.children.size > 0) yield* pathsOf(child, [...prefix, element]);
  }
}

interface MutableNode {
  owned: boolean;
  readonly children: Map<PathElement, MutableNode>;
}

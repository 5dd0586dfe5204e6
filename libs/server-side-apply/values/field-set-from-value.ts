import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
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

/**
 * Returns the fields that an applied object names: leaves (scalars and atomic values), elements of granular lists, entries of
 * maps, and empty containers. List elements without their key are skipped, see `validate`; for duplicate elements only the
 * element is in the set, not its content.
 *
 * `like` is a similar set, for example that of an earlier apply: equal nodes are reused, which saves memory and makes comparisons
 * cheap.
 */
export function fieldSetFromValue(
  value: JsonValue,
  schema: TypedSchema,
  like: FieldSet = emptyFieldSet,
): FieldSet {
  const set = createNode(value, schema, { like, included: false });
  return set.included ? fieldSetNode(false, set.children) : set;
}

/** Context of a node, known before its value is read. */
interface Place {
  readonly like: FieldSet;
  /** Whether the path to the node is in the set, regardless of the paths below it. */
  readonly included: boolean;
}

function createNode(value: JsonValue, schema: TypedSchema, place: Place): FieldSet {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return includedLeaf;
    case 'map':
      return mapNode(value, schema.map!, place); // The schema has the shape.
    case 'list':
      return listNode(value, schema.list!, place);
    default:
      return fieldSetNode(place.included, undefined);
  }
}

function mapNode(value: JsonValue, map: MapSchema, { like, included }: Place): FieldSet {
  if (map.mapType === 'atomic') return includedLeaf;
  if (!isJsonObject(value)) return fieldSetNode(included, undefined);
  let names: readonly string[] | undefined;
  const children = new ChildrenLike(like, at => {
    names ??= Object.keys(value);
    return memberSchema(map, names[at]!).element;
  });
  for (const name in value) {
    const member = value[name]!;
    const { element, schema } = memberSchema(map, name);
    if (shapeOf(schema, member) === 'scalar') {
      children.add(element, includedLeaf);
      continue;
    }
    const place = {
      like: children.before(element),
      included: member === null || isEmptyMap(member) || !map.fields.has(name),
    };
    children.add(element, createNode(member, schema, place));
  }
  return children.node(included);
}

function listNode(value: JsonValue, list: ListSchema, { like, included }: Place): FieldSet {
  if (list.listType === 'atomic') return includedLeaf;
  if (!Array.isArray(value)) return fieldSetNode(included, undefined);
  const children = new ChildrenLike(like, at => {
    const element = itemElement(value[at]!, list);
    return isItemProblem(element) ? undefined : element;
  });
  const seen = value.length > 1 ? new Set<PathElement>() : undefined;
  for (const item of value) {
    const element = itemElement(item, list);
    if (isItemProblem(element)) {
      children.skip();
    } else if (seen?.has(element)) {
      children.repeat(element);
    } else {
      seen?.add(element);
      children.add(
        element,
        createNode(item, list.element, { like: children.before(element), included: true }),
      );
    }
  }
  return children.node(included);
}

/** The children of a node under construction; reuses those of `like` until one differs. */
class ChildrenLike {
  readonly #like: FieldSet;
  readonly #elementAt: (at: number) => PathElement | undefined;
  /** Undefined while all added nodes are children of `#like`. */
  #children: Map<PathElement, FieldSet> | undefined;
  #shared = 0;
  #added = 0;

  /** `elementAt` returns the element at a position among all added or skipped ones. */
  constructor(like: FieldSet, elementAt: (at: number) => PathElement | undefined) {
    this.#like = like;
    this.#elementAt = elementAt;
  }

  /** Returns the child in `like`. */
  before(element: PathElement): FieldSet {
    return this.#like.children.get(element) ?? emptyFieldSet;
  }

  add(element: PathElement, node: FieldSet): void {
    if (this.#children === undefined && node !== this.before(element)) this.#children = this.#addedSoFar();
    this.#added++;
    if (isEmptyFieldSet(node)) return;
    if (this.#children === undefined) this.#shared++;
    else this.#children.set(element, node);
  }

  /** Adds a duplicate of an element: only the path to the element is in the set. */
  repeat(element: PathElement): void {
    this.#children ??= this.#addedSoFar();
    this.#added++;
    this.#children.set(element, includedLeaf);
  }

  /** Counts an item that is not a child. */
  skip(): void {
    this.#added++;
  }

  node(included: boolean): FieldSet {
    const { children, included: wasIncluded } = this.#like;
    if (this.#children !== undefined || this.#shared !== children.size)
      return fieldSetNode(included, this.#children ?? this.#addedSoFar());
    return included === wasIncluded ? this.#like : fieldSetNode(included, children);
  }

  #addedSoFar(): Map<PathElement, FieldSet> {
    const children = new Map<PathElement, FieldSet>();
    for (let at = 0; at < this.#added; at++) {
      const element = this.#elementAt(at);
      const child = element && this.#like.children.get(element);
      if (element !== undefined && child !== undefined) children.set(element, child);
    }
    return children;
  }
}

function isEmptyMap(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

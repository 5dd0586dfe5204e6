import { type FieldSet, fieldSetNode, includedNode } from '../field-sets/field-set.ts';
import type { PathElement } from '../field-sets/path-element.ts';
import { type TypedSchema, untypedDeduced } from '../schemas/typed-schema.ts';

/**
 * Adds to a set every declared field with paths of the set below it: a manager of a struct's field also manages the existence of
 * the struct.
 */
export function withNamedFields(set: FieldSet, schema: TypedSchema): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const node = withNamedBelow(element, child, schema);
    if (node === child) continue;
    children ??= new Map(set.children);
    children.set(element, node);
  }
  return children === undefined ? set : fieldSetNode(set.included, children);
}

function withNamedBelow(element: PathElement, child: FieldSet, schema: TypedSchema): FieldSet {
  if (child.children.size === 0) return child; // A node without children is included.
  const { declared, schema: below } = schemaAt(schema, element);
  const node = withNamedFields(child, below);
  return declared ? includedNode(node) : node;
}

/** Returns the type at a path element, and whether the element is a declared field. */
export function schemaAt(
  schema: TypedSchema,
  element: PathElement,
): { readonly declared: boolean; readonly known: boolean; readonly schema: TypedSchema } {
  if (element.startsWith('f:') && schema.map !== undefined) {
    const { fields, values } = schema.map;
    const field = fields.get(element.slice(2));
    if (field !== undefined) return { declared: true, known: true, schema: field.schema };
    return { declared: false, known: values !== undefined, schema: values ?? untypedDeduced };
  }
  if (schema.list !== undefined && !element.startsWith('f:')) {
    return { declared: false, known: true, schema: schema.list.element };
  }
  return { declared: false, known: false, schema: {} };
}

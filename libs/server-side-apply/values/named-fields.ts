import { type FieldSet, fieldSetNode } from '../field-sets/field-set.ts';
import type { PathElement } from '../field-sets/path-element.ts';
import { type TypedSchema, untypedDeduced } from '../schemas/typed-schema.ts';

/**
 * Adds to a set every declared field that something of the set lies below: who owns a field of a struct has a say
 * in whether the struct is there.
 */
export function withNamedFields(set: FieldSet, schema: TypedSchema): FieldSet {
  if (set.children.size === 0) return set;
  let changed = false;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const { declared, schema: below } = schemaAt(schema, element);
    let node = withNamedFields(child, below);
    if (declared && !node.owned) node = fieldSetNode(true, node.children);
    if (node !== child) changed = true;
    children.set(element, node);
  }
  return changed ? fieldSetNode(set.owned, children) : set;
}

/** The type of what a step of a path leads to, and whether the step is to a declared field. */
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

import {
  type FieldError,
  type FieldPath,
  fieldPath,
  isJsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import { defaultOf, itemsOf, otherPropertiesOf, propertyMapOf } from '../apiextensions/json-schema.ts';
import { forbidsNull, nullError } from '../apiextensions/schema-value-validation.ts';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

/**
 * The findings about nulls that an apply has set in an object where its schema allows none and has no default. In other writes such a
 * null is a field that is left out; an apply says of each field that it is the manager's.
 */
export function appliedNullErrors(schema: JSONSchemaProps, object: JsonValue): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, object, { path: fieldPath(), errors });
  return errors;
}

interface Visit {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function visit(schema: JSONSchemaProps, value: JsonValue, { path, errors }: Visit): void {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return;
    for (const [index, item] of value.entries())
      if (typeof item === 'object' && item !== null) visit(items, item, { path: path.index(index), errors });
  } else if (isJsonObject(value)) {
    const properties = propertyMapOf(schema);
    const others = otherPropertiesOf(schema);
    for (const [name, member = null] of Object.entries(value)) {
      const node = properties.get(name) ?? others;
      if (node === undefined || (typeof member !== 'object' && member !== null)) continue;
      const at = path.child(name);
      if (member !== null) visit(node, member, { path: at, errors });
      else if (forbidsNull(node) && defaultOf(node) === undefined) errors.push(nullError(node, at));
    }
  }
}

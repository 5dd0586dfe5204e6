import {
  copyJson,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldErrorMessage,
  invalidField,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { asObject } from '../values/json-access.ts';
import { itemsOf, keepsUnknownFields, otherPropertiesOf, propertiesOf } from './json-schema.ts';
import { schemaValueErrors } from './schema-value-validation.ts';

/** The findings about the default of a node: it must be a value that the node describes, without anything else in it. */
export function defaultErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const value = schema.default;
  if (value === undefined) return [];
  const at = path.child('default');
  const completed = withDefaults(schema, copyJson(value));
  const errors = schemaValueErrors(schema, completed, at).map(error =>
    error.field === at.toString() ? error : invalidField(at, value, fieldErrorMessage(error)),
  );
  if (!equalJson(pruned(schema, value), value))
    errors.push(invalidField(at, value, 'must not have fields that the schema does not know'));
  return errors;
}

/** Fills in what a value leaves out and the schema has defaults for; changes `value`. */
function withDefaults(schema: JSONSchemaProps, value: JsonValue): JsonValue {
  const items = itemsOf(schema);
  if (Array.isArray(value)) return items ? value.map(item => withDefaults(items, item)) : value;
  const object = asObject(value);
  if (!object) return value;
  for (const [name, node] of propertiesOf(schema)) {
    if (!Object.hasOwn(object, name) && node.default !== undefined)
      setOwnProperty(object, name, copyJson(node.default));
    const item = ownProperty(object, name);
    if (item !== undefined) setOwnProperty(object, name, withDefaults(node, item));
  }
  return object;
}

/** The value without the fields that the schema does not know. */
function pruned(schema: JSONSchemaProps, value: JsonValue): JsonValue {
  if (keepsUnknownFields(schema) || schema['x-cluster-embedded-type'] === true) return value;
  const items = itemsOf(schema);
  if (Array.isArray(value)) return items ? value.map(item => pruned(items, item)) : value;
  const object = asObject(value);
  if (!object || schema.additionalProperties === true) return value;
  const known = new Map(propertiesOf(schema));
  const others = otherPropertiesOf(schema);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, item]) => {
      const node = known.get(name) ?? others;
      return node && item !== undefined ? [[name, pruned(node, item)]] : [];
    }),
  );
}

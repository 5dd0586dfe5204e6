import { extensions } from '@binnacle/api-names';
import {
  copyJson,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldErrorMessage,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { asObject } from '../values/json-access.ts';
import type { DefaultPlace } from './default-place.ts';
import { embeddedObjectErrors } from './embedded-object-validation.ts';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  keepsUnknownFields,
  listProperties,
  readDefault,
} from './json-schema.ts';
import { schemaValueErrors } from './schema-value-validation.ts';

/** Maximum number of errors reported for one default, since each shows the default. */
const mostOfDefault = 10;

/** Validates the default of a node: it must match the node's schema and have no unknown fields. */
export function defaultErrors(schema: JSONSchemaProps, place: DefaultPlace, path: FieldPath): FieldError[] {
  const value = readDefault(schema);
  if (value === undefined) return [];
  const at = path.child('default');
  if (place.kind === 'none') return [forbiddenField(at, place.why)];
  if (place.kind === 'metadata') {
    const [finding] = objectErrors(place.objectWith(copyJson(value)));
    if (finding !== undefined) return [invalidField(at, value, `must result in valid metadata: ${finding}`)];
  }
  const completed = withDefaults(schema, copyJson(value));
  const found = schemaValueErrors(schema, completed, at).slice(0, mostOfDefault);
  const errors = found.map(error =>
    error.field === at.toString() ? error : invalidField(at, value, fieldErrorMessage(error)),
  );
  if (place.kind === 'body' && !equalJson(pruned(schema, value), value))
    errors.push(invalidField(at, value, 'must not have fields that are not in the schema'));
  return errors;
}

/** Returns the errors in apiVersion, kind and metadata of an object that results from a default. */
function objectErrors(object: JsonObject): string[] {
  return embeddedObjectErrors(object, fieldPath()).map(
    error => `${error.field}: ${fieldErrorMessage(error)}`,
  );
}

/** Adds the schema's defaults to a value; modifies `value`. */
function withDefaults(schema: JSONSchemaProps, value: JsonValue): JsonValue {
  const items = getItemSchema(schema);
  if (Array.isArray(value)) return items ? value.map(item => withDefaults(items, item)) : value;
  const object = asObject(value);
  if (!object) return value;
  for (const [name, node] of listProperties(schema)) {
    const byDefault = readDefault(node);
    if (!Object.hasOwn(object, name) && byDefault !== undefined)
      setOwnProperty(object, name, copyJson(byDefault));
    const item = ownProperty(object, name);
    if (item !== undefined) setOwnProperty(object, name, withDefaults(node, item));
  }
  return object;
}

/** Returns the value without the fields that the schema does not declare. */
function pruned(schema: JSONSchemaProps, value: JsonValue): JsonValue {
  if (keepsUnknownFields(schema) || schema[extensions.embeddedType] === true) return value;
  const items = getItemSchema(schema);
  if (Array.isArray(value)) return items ? value.map(item => pruned(items, item)) : value;
  const object = asObject(value);
  if (!object || typeof schema.additionalProperties === 'boolean') return value;
  const known = new Map(listProperties(schema));
  const others = getAdditionalPropertySchema(schema);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, item]) => {
      const node = known.get(name) ?? others;
      return node && item !== undefined ? [[name, pruned(node, item)]] : [];
    }),
  );
}

import {
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import { defaultOf, itemsOf, otherPropertiesOf, propertyMapOf } from '../apiextensions/json-schema.ts';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

const defaulted = new WeakMap<JSONSchemaProps, readonly (readonly [string, JSONSchemaProps])[]>();

/**
 * Fills in what an object leaves out and its schema has a default for, where the parent of the value exists. A null that
 * a value cannot be counts as left out; without a default it is taken away. Idempotent; changes `object`.
 */
export function applySchemaDefaults(schema: JSONSchemaProps, object: JsonObject): void {
  completeObject(schema, object);
}

function complete(schema: JSONSchemaProps, value: JsonValue): void {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      const byDefault = defaultOf(items);
      if (isForbiddenNull(items, item) && byDefault !== undefined) value[index] = copyJson(byDefault);
      const present = value[index];
      if (typeof present === 'object' && present !== null) complete(items, present);
    }
  } else if (isJsonObject(value)) completeObject(schema, value);
}

function completeObject(schema: JSONSchemaProps, object: JsonObject): void {
  for (const [name, node] of defaultedProperties(schema)) {
    const value = ownProperty(object, name);
    if (value === undefined || isForbiddenNull(node, value))
      setOwnProperty(object, name, copyJson(defaultOf(node) ?? null));
  }
  const known = propertyMapOf(schema);
  const others = otherPropertiesOf(schema);
  for (const name of Object.keys(object)) {
    const node = known.get(name) ?? others;
    if (node !== undefined) completeProperty(node, object, name);
  }
}

function completeProperty(node: JSONSchemaProps, object: JsonObject, name: string): void {
  let value = ownProperty(object, name) ?? null;
  if (isForbiddenNull(node, value)) {
    const byDefault = defaultOf(node);
    if (byDefault === undefined) {
      delete object[name];
      return;
    }
    value = copyJson(byDefault);
    setOwnProperty(object, name, value);
  }
  if (typeof value === 'object' && value !== null) complete(node, value);
}

function isForbiddenNull(node: JSONSchemaProps, value: JsonValue): boolean {
  return value === null && node.nullable !== true;
}

/** The properties that have a default, found out once a node. */
function defaultedProperties(schema: JSONSchemaProps): readonly (readonly [string, JSONSchemaProps])[] {
  let found = defaulted.get(schema);
  if (found === undefined) {
    found = [...propertyMapOf(schema)].filter(([, node]) => defaultOf(node) !== undefined);
    defaulted.set(schema, found);
  }
  return found;
}

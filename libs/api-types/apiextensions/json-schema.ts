import { extensions } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

const { embeddedType, preserveUnknownFields } = extensions;

/** The keys of schemas that are combined with a node. */
export const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

const empty: ReadonlyMap<string, JSONSchemaProps> = new Map();
const properties = new WeakMap<object, ReadonlyMap<string, JSONSchemaProps>>();

/** Returns the schemas of the declared properties by name. */
export function getPropertyMap(schema: JSONSchemaProps): ReadonlyMap<string, JSONSchemaProps> {
  const own = schema.properties;
  if (own === undefined) return empty;
  let map = properties.get(own);
  if (map === undefined) {
    map = new Map(Object.entries(own));
    properties.set(own, map);
  }
  return map;
}

/** Returns the schemas of the declared properties. */
export function listProperties(schema: JSONSchemaProps): readonly (readonly [string, JSONSchemaProps])[] {
  return [...getPropertyMap(schema)];
}

/** Returns the schema of list items. */
export function getItemSchema(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  const { items } = schema;
  return Array.isArray(items) ? undefined : items;
}

/** Returns the schema of additional properties; undefined if it is a boolean. */
export function getAdditionalPropertySchema(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  const { additionalProperties: others } = schema;
  return typeof others === 'object' ? others : undefined;
}

/** Returns the default of a node; null counts as no default. */
export function readDefault(schema: JSONSchemaProps): Exclude<JsonValue, null> | undefined {
  return schema.default ?? undefined;
}

/** Whether undeclared properties are preserved. */
export function keepsUnknownFields(schema: JSONSchemaProps): boolean {
  return schema[preserveUnknownFields] === true;
}

/** Whether a node is an embedded object with kind and metadata. */
export function isEmbeddedObject(schema: JSONSchemaProps): boolean {
  return schema[embeddedType] === true;
}

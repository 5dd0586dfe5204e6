import { extensions } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

const { embeddedType, preserveUnknownFields } = extensions;

/** The keys under which other schemas stand that must hold together with, or instead of, a node. */
export const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

const empty: ReadonlyMap<string, JSONSchemaProps> = new Map();
const properties = new WeakMap<object, ReadonlyMap<string, JSONSchemaProps>>();

/** The schemas of the named properties, by name. */
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

/** The schemas of the named properties. */
export function listProperties(schema: JSONSchemaProps): readonly (readonly [string, JSONSchemaProps])[] {
  return [...getPropertyMap(schema)];
}

/** The schema of the elements of a list. */
export function getItemSchema(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  const { items } = schema;
  return Array.isArray(items) ? undefined : items;
}

/** The schema of the properties that are not named; undefined when it is a mere yes or no. */
export function getAdditionalPropertySchema(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  const { additionalProperties: others } = schema;
  return typeof others === 'object' ? others : undefined;
}

/** The default of a node; one that is null is none. */
export function readDefault(schema: JSONSchemaProps): Exclude<JsonValue, null> | undefined {
  return schema.default ?? undefined;
}

/** Whether properties that the schema does not know are kept. */
export function keepsUnknownFields(schema: JSONSchemaProps): boolean {
  return schema[preserveUnknownFields] === true;
}

/** Whether a node describes an object with a kind and metadata of its own. */
export function isEmbeddedObject(schema: JSONSchemaProps): boolean {
  return schema[embeddedType] === true;
}

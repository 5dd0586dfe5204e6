import type { JsonObject } from '@binnacle/api-objects';
import { asObject } from '../values/json-access.ts';

/** A node of an OpenAPI schema as a definition holds it. */
export type SchemaNode = JsonObject;

/** The keys under which other schemas stand that must hold together with, or instead of, a node. */
export const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

const empty: ReadonlyMap<string, SchemaNode> = new Map();
const properties = new WeakMap<JsonObject, ReadonlyMap<string, SchemaNode>>();

/** The schemas of the named properties, by name. */
export function propertyMapOf(schema: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const own = asObject(schema['properties']);
  if (own === undefined) return empty;
  let map = properties.get(own);
  if (map === undefined) {
    map = new Map(Object.entries(own).map(([name, node]) => [name, asObject(node) ?? {}]));
    properties.set(own, map);
  }
  return map;
}

/** The schemas of the named properties. */
export function propertiesOf(schema: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  return [...propertyMapOf(schema)];
}

/** The schema of the elements of a list. */
export function itemsOf(schema: SchemaNode): SchemaNode | undefined {
  return asObject(schema['items']);
}

/** The schema of the properties that are not named; undefined when it is a mere yes or no. */
export function otherPropertiesOf(schema: SchemaNode): SchemaNode | undefined {
  return asObject(schema['additionalProperties']);
}

/** Whether properties that the schema does not know are kept. */
export function keepsUnknownFields(schema: SchemaNode): boolean {
  return schema['x-cluster-preserve-unknown-fields'] === true;
}

/** Whether a node describes an object with a kind and metadata of its own. */
export function isEmbeddedObject(schema: SchemaNode): boolean {
  return schema['x-cluster-embedded-type'] === true;
}

import type { JsonObject } from '@binnacle/api-objects';
import { asObject } from '../json-access.ts';

/** A node of an OpenAPI schema as a definition holds it. */
export type SchemaNode = JsonObject;

/** The keys under which other schemas stand that must hold together with, or instead of, a node. */
export const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/** The schemas of the named properties. */
export function propertiesOf(schema: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  return Object.entries(asObject(schema['properties']) ?? {}).map(([name, node]) => [
    name,
    asObject(node) ?? {},
  ]);
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

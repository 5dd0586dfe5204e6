import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { isEmbeddedObject } from './json-schema.ts';

/** The place in which the default of a schema node is filled in, as far as it restricts the default. */
export type DefaultPlace =
  /** Any place in the body of an object. */
  | { readonly kind: 'body' }
  /**
   * Within apiVersion, kind or metadata of an embedded object: `objectWith` creates the object that results from a value at this
   * place.
   */
  | { readonly kind: 'metadata'; objectWith(value: JsonValue): JsonObject }
  /** A place where defaults are not allowed. */
  | { readonly kind: 'none'; readonly why: string };

/** The step from a schema to a nested schema. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'others' };

/** The place of defaults at the root of a schema and everywhere below it, except in apiVersion, kind and metadata of objects. */
export const bodyPlace: DefaultPlace = { kind: 'body' };

const objectKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns the place of the defaults of a nested schema, whose parent is at `place`. */
export function placeBelow(
  place: DefaultPlace,
  { schema, isRoot }: { readonly schema: JSONSchemaProps; readonly isRoot: boolean },
  step: SchemaStep,
): DefaultPlace {
  if (place.kind === 'none') return place;
  if (place.kind === 'metadata') return belowMetadata(place.objectWith, step);
  if (step.kind !== 'property' || !objectKeys.has(step.name)) return bodyPlace;
  if (isRoot) return { kind: 'none', why: `must not be set in top-level ${step.name}` };
  if (!isEmbeddedObject(schema)) return bodyPlace;
  return {
    kind: 'metadata',
    objectWith: value => ({ apiVersion: 'v1', kind: 'Any', [step.name]: value }),
  };
}

function belowMetadata(objectWith: (value: JsonValue) => JsonObject, step: SchemaStep): DefaultPlace {
  switch (step.kind) {
    case 'property':
      return { kind: 'metadata', objectWith: value => objectWith({ [step.name]: value }) };
    case 'items':
      return { kind: 'metadata', objectWith: value => objectWith([value]) };
    case 'others':
      return {
        kind: 'none',
        why: 'must not be set inside additionalProperties applying to object metadata',
      };
  }
}

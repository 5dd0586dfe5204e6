import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { isEmbeddedObject } from './json-schema.ts';

/** Where the default of a node is filled in, as far as that decides what it may be. */
export type DefaultPlace =
  /** Anywhere in the body of an object. */
  | { readonly kind: 'body' }
  /** In what every object has, of an embedded object: `objectWith` makes the object that a value here results in. */
  | { readonly kind: 'metadata'; objectWith(value: JsonValue): JsonObject }
  /** Where there can be none. */
  | { readonly kind: 'none'; readonly why: string };

/** How a schema leads to one below it. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'others' };

/** The place of the defaults at the root of a schema, and anywhere below it but in what every object has. */
export const bodyPlace: DefaultPlace = { kind: 'body' };

const objectKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The place of the defaults of a schema below another one, at whose own place stands `place`. */
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

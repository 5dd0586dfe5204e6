import type { JsonObject } from '@binnacle/api-objects';
import { definitionName } from './definition-name.ts';

/** The OpenAPI version of a schema. */
export type Dialect = 'v2' | 'v3';

const places: Readonly<Record<Dialect, string>> = {
  v2: '#/definitions/',
  v3: '#/components/schemas/',
};

/** Returns the reference to the definition of a message. */
export function referenceTo(fullName: string, dialect: Dialect): JsonObject {
  return { $ref: places[dialect] + definitionName(fullName) };
}

import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { asObject } from '../values/json-access.ts';

/** The spec of an object; an empty one if it has none. */
export function specOf(object: ApiObject): JsonObject {
  return asObject(object['spec']) ?? {};
}

import { equalJson, isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { canonicalGroup } from '../group-names/canonical-group.ts';

/** Whether two values are equal, or references that only differ in the name of their group. */
export function isSameReference(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return equalJson(withOwnGroup(one), withOwnGroup(other));
}

function withOwnGroup(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(value)) return value;
  const { apiGroup } = value;
  return typeof apiGroup === 'string' ? { ...value, apiGroup: canonicalGroup(apiGroup) } : value;
}

import type { JsonValue } from '@binnacle/api-objects';

/** Returns the total number of members of all objects within a value. */
export function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key in value) count += 1 + countKeys(value[key]!);
  return count;
}

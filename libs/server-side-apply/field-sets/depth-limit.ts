import type { JsonValue } from '@binnacle/api-objects';

/** Maximum nesting depth of objects and their field sets. */
export const depthLimit = 512;

/** Whether a value nests deeper than the limit; recursion stops at the limit. */
export function isTooDeep(value: JsonValue | undefined, levels: number = depthLimit): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) if (isTooDeep(value[key], levels - 1)) return true;
  return false;
}

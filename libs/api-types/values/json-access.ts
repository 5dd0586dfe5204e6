import type { JsonObject, JsonValue } from '@binnacle/api-objects';

/** Returns the value if it is an object; otherwise undefined. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** Returns the value if it is a list; otherwise an empty list. */
export function asList(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects of a list; other elements become empty objects, which preserves indexes. */
export function asObjects(value: unknown): JsonObject[] {
  return asList(value).map(element => asObject(element) ?? {});
}

/** Returns the value if it is a string; otherwise ''. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the value if it is a number; otherwise 0. */
export function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Returns the strings of a list. */
export function asTexts(value: unknown): string[] {
  return asList(value).filter(element => typeof element === 'string');
}

/** Returns the object under a key, which is created if it is missing. */
export function ensureObject(parent: Record<string, unknown>, key: string): JsonObject {
  const existing = asObject(parent[key]);
  if (existing) return existing;
  const created: JsonObject = {};
  parent[key] = created;
  return created;
}

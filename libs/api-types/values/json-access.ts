import type { JsonObject, JsonValue } from '@binnacle/api-objects';

/** The value as an object; undefined for anything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The value as a list; empty for anything else. */
export function asList(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; what is no object counts as an empty one, so that indexes stay right. */
export function asObjects(value: unknown): JsonObject[] {
  return asList(value).map(element => asObject(element) ?? {});
}

/** The value as text; '' for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value as a number; 0 for anything else. */
export function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The values of a list that are text. */
export function asTexts(value: unknown): string[] {
  return asList(value).filter(element => typeof element === 'string');
}

/** The object under a key, put there if it is missing. */
export function ensureObject(parent: Record<string, unknown>, key: string): JsonObject {
  const existing = asObject(parent[key]);
  if (existing) return existing;
  const created: JsonObject = {};
  parent[key] = created;
  return created;
}

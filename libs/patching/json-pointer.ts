import type { JsonObject, JsonValue } from '@binnacle/api-objects';

/** Error for a path that does not exist or is not allowed in a patch. */
export class PointerError extends Error {}

const longestPointer = 65_536;

/** Splits a JSON pointer (RFC 6901) into its steps; throws PointerError if it is invalid. */
export function parsePointer(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('/') || text.length > longestPointer)
    throw new PointerError('a path must be empty or begin with a slash');
  return text
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the member of a container; throws PointerError if it does not exist. */
export function childAt(container: JsonValue, step: string): JsonValue {
  if (Array.isArray(container)) return container[parseIndex(step, container.length - 1)]!;
  if (typeof container === 'object' && container !== null && Object.hasOwn(container, step))
    return container[step]!;
  throw new PointerError('the path does not exist');
}

/**
 * Parses an array index of at most `last`; throws PointerError otherwise. Like existing Kubernetes clients it accepts a sign and
 * leading zeros; a negative index counts from the end, where -1 is `last`.
 */
export function parseIndex(step: string, last: number): number {
  const index = /^[+-]?[0-9]{1,18}$/.test(step) ? Number(step) : Number.NaN;
  if (Number.isNaN(index)) throw new PointerError('an array has no such member');
  const position = index < 0 ? last + 1 + index : index;
  if (position < 0 || position > last) throw new PointerError('the position is beyond the end of the array');
  // Converts negative zero to zero.
  return position + 0;
}

/** Whether a value is an object or array. */
export function isContainer(value: JsonValue | undefined): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

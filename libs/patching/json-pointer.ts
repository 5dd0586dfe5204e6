import type { JsonObject, JsonValue } from '@binnacle/api-objects';

/** A place in a document that does not exist, or that no patch may name. */
export class PointerError extends Error {}

const longestPointer = 65_536;

/** Splits a JSON pointer (RFC 6901) into its steps; throws PointerError when it is none. */
export function parsePointer(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('/') || text.length > longestPointer)
    throw new PointerError('a path must be empty or begin with a slash');
  return text
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value one step below a container; throws PointerError when there is none. */
export function childAt(container: JsonValue, step: string): JsonValue {
  if (Array.isArray(container)) return container[parseIndex(step, container.length - 1)]!;
  if (typeof container === 'object' && container !== null && Object.hasOwn(container, step))
    return container[step]!;
  throw new PointerError('the path does not exist');
}

/**
 * Reads the position in an array, at most `last`; throws PointerError otherwise. It is an integer as existing clients write
 * it: with a sign or leading zeros too, and a negative one counts from the end, where -1 is `last`.
 */
export function parseIndex(step: string, last: number): number {
  const index = /^[+-]?[0-9]{1,18}$/.test(step) ? Number(step) : Number.NaN;
  if (Number.isNaN(index)) throw new PointerError('an array has no such member');
  const position = index < 0 ? last + 1 + index : index;
  if (position < 0 || position > last) throw new PointerError('the position is beyond the end of the array');
  // No negative zero.
  return position + 0;
}

/** Asks whether a value holds others. */
export function isContainer(value: JsonValue | undefined): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

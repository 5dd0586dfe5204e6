import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { tooManyValues } from '@binnacle/status-errors';

/**
 * How many values (members of objects and elements of lists) a body may have, whatever its encoding: so many can be read
 * and checked without holding up other requests. An object that a client read comes back with its managed fields, which
 * may have as many members as the rest of it.
 */
export const bodyValueLimit = 100_000;

/** How many values an object may have besides its managed fields. */
export const objectValueLimit = 25_000;

/** Throws RequestEntityTooLarge when an object has too many values besides its managed fields. */
export function assertObjectSize(object: JsonObject, what = 'the object'): void {
  const { metadata, ...rest } = object;
  const { managedFields: _, ...kept } = isJsonObject(metadata) ? metadata : {};
  let values = 2;
  values = countValues(kept, values);
  if (values <= objectValueLimit) values = countValues(rest, values);
  if (values > objectValueLimit) throw tooManyValues(what, objectValueLimit);
}

/** Adds the values within a value to a count; stops soon after the limit of an object. */
function countValues(value: JsonValue, before: number): number {
  if (typeof value !== 'object' || value === null) return before;
  let count = before;
  if (Array.isArray(value)) {
    count += value.length;
    if (count <= objectValueLimit) for (const item of value) count = countValues(item, count);
    return count;
  }
  for (const key in value) {
    if (++count > objectValueLimit) return count;
    count = countValues(value[key]!, count);
  }
  return count;
}

import { StatusError, tooManyValues } from '@binnacle/status-errors';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** How many values (members of objects and elements of lists) an object may have besides its managed fields. */
export const objectValueLimit = 25_000;

/**
 * How many bytes of JSON an object may have with the defaults of its definition: less than one transaction of the store
 * takes, so that it can still be given labels and managers.
 */
export const completedByteLimit = 1_400_000;

/** The defaults of its definition make an object larger than objects may be: 413 for the write that would make it so. */
export class DefaultsTooLarge extends StatusError {
  constructor(definition: string, limit: string) {
    const message = `Request entity too large: with the defaults of customresourcedefinition ${JSON.stringify(definition)} the object has more than ${limit}`;
    super({ reason: 'RequestEntityTooLarge', code: 413, message });
  }
}

/** Runs what completes an object with its defaults; answers why it goes on without them, where they make it too large. */
export function completionFault(complete: () => void): DefaultsTooLarge | undefined {
  try {
    complete();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DefaultsTooLarge) return thrown;
    throw thrown;
  }
}

/**
 * Throws RequestEntityTooLarge when an object has too many values besides its managed fields. One that had more before
 * (`before`), as an earlier release let it, may keep as many.
 */
export function assertObjectSize(object: JsonObject, what = 'the object', before?: JsonObject): void {
  if (!hasTooManyValues(object)) return;
  const most = before === undefined ? objectValueLimit : Math.max(objectValueLimit, valuesOf(before));
  if (valuesOf(object, most) > most) throw tooManyValues(what, objectValueLimit);
}

/** Whether an object has too many values besides its managed fields. */
export function hasTooManyValues(object: JsonObject): boolean {
  return valuesOf(object, objectValueLimit) > objectValueLimit;
}

/** The values of an object besides its managed fields; where that is more than a limit, any number above it. */
function valuesOf(object: JsonObject, limit = Number.POSITIVE_INFINITY): number {
  const { metadata, ...rest } = object;
  const { managedFields: _, ...kept } = isJsonObject(metadata) ? metadata : {};
  const values = countValues(kept, 2, limit);
  return values > limit ? values : countValues(rest, values, limit);
}

/** Adds the values within a value to a count; stops soon after a limit. */
export function countValues(value: JsonValue, before: number, limit: number): number {
  if (typeof value !== 'object' || value === null) return before;
  let count = before;
  if (Array.isArray(value)) {
    count += value.length;
    if (count <= limit) for (const item of value) count = countValues(item, count, limit);
    return count;
  }
  for (const key in value) {
    if (++count > limit) return count;
    count = countValues(value[key]!, count, limit);
  }
  return count;
}

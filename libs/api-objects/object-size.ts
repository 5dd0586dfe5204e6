import { StatusError, tooManyValues } from '@binnacle/status-errors';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Maximum number of values (members of objects and elements of lists) of an object without managed fields. */
export const objectValueLimit = 25_000;

/**
 * Maximum bytes of JSON of an object with the defaults of its definition: below the transaction limit of the store, so that
 * labels and managed fields can still be added.
 */
export const completedByteLimit = 1_400_000;

/** Error 413 for an object that the defaults of its definition would make too large. */
export class DefaultsTooLarge extends StatusError {
  /** The error without its prefix, which names the definition and the limit. */
  readonly why: string;

  constructor(definition: string, limit: string) {
    const why = `with the defaults of customresourcedefinition ${JSON.stringify(definition)} the object has more than ${limit}`;
    super({ reason: 'RequestEntityTooLarge', code: 413, message: `Request entity too large: ${why}` });
    this.why = why;
  }
}

/** Runs a function that adds defaults to an object; returns the DefaultsTooLarge that it throws, if any. */
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
 * Throws RequestEntityTooLarge if an object without managed fields has more than 25,000 values. An object that exceeded the limit
 * before (`before`) may keep its size; its metadata, and its status, may each have up to 25,000 values.
 */
export function assertObjectSize(object: JsonObject, what = 'the object', before?: JsonObject): void {
  if (!hasTooManyValues(object)) return;
  if (before !== undefined && hasTooManyValues(before) && growsInMetadataAlone(object, before)) return;
  throw tooManyValues(what, objectValueLimit);
}

/** Whether an object without managed fields exceeds `objectValueLimit`. */
export function hasTooManyValues(object: JsonObject): boolean {
  const { metadata, ...rest } = object;
  const values = countValues(withoutManagers(metadata), 2, objectValueLimit);
  return values > objectValueLimit || countValues(rest, values, objectValueLimit) > objectValueLimit;
}

function growsInMetadataAlone(object: JsonObject, before: JsonObject): boolean {
  const { metadata, status = null, ...rest } = object;
  const { metadata: _, status: oldStatus = null, ...oldRest } = before;
  const unbounded = Number.POSITIVE_INFINITY;
  return (
    countValues(withoutManagers(metadata), 0, objectValueLimit) <= objectValueLimit &&
    countValues(status, 0, unbounded) <= Math.max(objectValueLimit, countValues(oldStatus, 0, unbounded)) &&
    countValues(rest, 0, unbounded) <= countValues(oldRest, 0, unbounded)
  );
}

function withoutManagers(metadata: JsonValue | undefined): JsonObject {
  const { managedFields: _, ...kept } = isJsonObject(metadata) ? metadata : {};
  return kept;
}

/** Adds the number of nested values to a count; stops soon after the limit. */
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

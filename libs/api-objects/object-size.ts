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
  /** Names the definition and the limit. */
  readonly why: string;

  constructor(definition: string, limit: string) {
    const why = `with the defaults of customresourcedefinition ${JSON.stringify(definition)} the object has more than ${limit}`;
    super({ reason: 'RequestEntityTooLarge', code: 413, message: `Request entity too large: ${why}` });
    this.why = why;
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
 * Throws RequestEntityTooLarge when an object has too many values besides its managed fields. One that had too many before
 * (`before`), as an earlier release let it, may keep as many, and its metadata and status may have as many as an object.
 */
export function assertObjectSize(object: JsonObject, what = 'the object', before?: JsonObject): void {
  if (!hasTooManyValues(object)) return;
  if (before !== undefined && hasTooManyValues(before) && growsInMetadataAlone(object, before)) return;
  throw tooManyValues(what, objectValueLimit);
}

/** Whether an object has too many values besides its managed fields. */
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

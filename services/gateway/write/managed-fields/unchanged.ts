import { type ApiObject, equalJson, equalJsonSteps, type JsonObject } from '@binnacle/api-objects';
import { isLong, runInSlices } from '@binnacle/event-loop';
import { equalExceptTimes, equalExceptTimesSteps } from '@binnacle/server-side-apply';

/**
 * Asks whether two states of an object of about so many bytes differ in nothing but the times of managedFields: then there is
 * nothing to write. Those of a long object are compared in slices.
 */
export function isUnchanged(next: ApiObject, current: ApiObject, bytes: number): boolean | Promise<boolean> {
  if (isLong(bytes)) return runInSlices(unchangedSteps(next, current));
  return (
    equalExceptTimes(next.metadata.managedFields, current.metadata.managedFields) &&
    equalJson(withoutEntries(next), withoutEntries(current))
  );
}

/** Asks whether two states of an object differ in nothing but their metadata. */
export function equalButMetadata(next: ApiObject, current: ApiObject): boolean {
  const { metadata: _, ...after } = next;
  const { metadata: __, ...before } = current;
  return equalJson(after, before);
}

function* unchangedSteps(next: ApiObject, current: ApiObject): Generator<void, boolean> {
  return (
    (yield* equalExceptTimesSteps(next.metadata.managedFields, current.metadata.managedFields)) &&
    (yield* equalJsonSteps(withoutEntries(next), withoutEntries(current)))
  );
}

function withoutEntries(object: ApiObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

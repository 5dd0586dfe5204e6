import { type ApiObject, equalJson, type JsonObject } from '@binnacle/api-objects';
import { equalExceptTimes } from '@binnacle/server-side-apply';

/** Asks whether two states of an object differ in nothing but the times of managedFields: then there is nothing to write. */
export function isUnchanged(next: ApiObject, current: ApiObject): boolean {
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

function withoutEntries(object: ApiObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

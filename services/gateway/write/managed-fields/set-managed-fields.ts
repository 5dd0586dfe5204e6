import type { ApiObject, ManagedFieldsEntry } from '@binnacle/api-objects';

/** Sets an object's managed fields as the last of its metadata; an object without managers has none. */
export function setManagedFields({ metadata }: ApiObject, entries: readonly ManagedFieldsEntry[]): void {
  delete metadata.managedFields;
  if (entries.length > 0) metadata.managedFields = [...entries];
}

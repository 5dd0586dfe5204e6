import type { ApiObject, ManagedFieldsEntry } from '@binnacle/api-objects';

/** Gives an object its record of ownership as the last of its metadata; an object that nobody owns has none. */
export function setManagedFields({ metadata }: ApiObject, entries: readonly ManagedFieldsEntry[]): void {
  delete metadata.managedFields;
  if (entries.length > 0) metadata.managedFields = [...entries];
}

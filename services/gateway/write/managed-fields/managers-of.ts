import type { ApiObject, ManagedFieldsEntry } from '@binnacle/api-objects';
import type { TypeRegistry } from '@binnacle/api-types';
import { runInSlices } from '@binnacle/event-loop';
import { decodeManagedFieldsSteps, type ManagedFields } from '@binnacle/server-side-apply';
import type { ApiRequest } from '../../request/api-request.ts';

/** Reads entries that the server wrote, with rests where they are long. */
export function storedManagersOf({ metadata }: ApiObject): ManagedFields | Promise<ManagedFields> {
  return runInSlices(decodeManagedFieldsSteps(metadata.managedFields, { stored: true }));
}

/**
 * Reads entries that a client sent, which stay as they are; what cannot be read is left out. Kinds that have other names within
 * objects through an alias have the own ones in their entries. Rests where they are long.
 */
export function sentManagersOf(
  { definition }: ApiRequest,
  { registry }: { readonly registry: TypeRegistry },
  entries: readonly ManagedFieldsEntry[],
): ManagedFields | Promise<ManagedFields> {
  const hasOwnNames = definition.rules.aliasNames !== undefined;
  const read = hasOwnNames ? entries.map(entry => withCanonicalGroup(entry, registry)) : entries;
  return runInSlices(decodeManagedFieldsSteps(read));
}

/** Asks whether a client wants the record begun anew: a list of one empty entry (spec 1, server-side apply, 14). */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  const [only] = entries ?? [];
  return only !== undefined && entries?.length === 1 && isEmpty(only);
}

function withCanonicalGroup(entry: ManagedFieldsEntry, registry: TypeRegistry): ManagedFieldsEntry {
  const { apiVersion = '' } = entry;
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return entry;
  const group = registry.canonicalGroup(apiVersion.slice(0, slash));
  return { ...entry, apiVersion: group + apiVersion.slice(slash) };
}

function isEmpty(entry: ManagedFieldsEntry): boolean {
  return Object.values(entry).every(value => value === undefined || value === null || value === '');
}

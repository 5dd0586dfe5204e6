import type { DefaultsTooLarge } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { StatusError } from '@binnacle/status-errors';

/**
 * Stored objects that the defaults of their definition, as it is now, make larger than objects may be. They are shown without
 * these defaults. Why is kept beside the stored bytes, as long as these and the definition live.
 */
const faults = new WeakMap<ResourceDefinition, WeakMap<Uint8Array, DefaultsTooLarge>>();

/** Notes that stored bytes are shown without defaults. */
export function noteIncomplete(
  definition: ResourceDefinition,
  stored: Uint8Array,
  fault: DefaultsTooLarge | undefined,
): void {
  if (fault === undefined) return;
  const known = faults.get(definition) ?? new WeakMap<Uint8Array, DefaultsTooLarge>();
  faults.set(definition, known);
  known.set(stored, fault);
}

/** Whether stored bytes that were read in the version of a definition are shown without defaults. */
export function isIncomplete(definition: ResourceDefinition, stored: Uint8Array): boolean {
  return faults.get(definition)?.has(stored) === true;
}

/** Throws an internal error that names the definition for stored bytes that are shown without defaults. */
export function assertComplete(definition: ResourceDefinition, stored: Uint8Array): void {
  const fault = faults.get(definition)?.get(stored);
  if (fault === undefined) return;
  const { group, resource } = definition;
  throw new StatusError({
    reason: 'InternalError',
    code: 500,
    message: `${fault.why}; lists, watches and metadata show it without defaults, and it can be deleted`,
    details: { group, kind: resource },
  });
}

/** The warning for clients that are shown objects without defaults; undefined for none. */
export function incompleteWarning(
  definition: ResourceDefinition,
  stored: Iterable<Uint8Array>,
): string | undefined {
  const known = faults.get(definition);
  if (known === undefined) return undefined;
  let count = 0;
  for (const bytes of stored) if (known.has(bytes)) count++;
  if (count === 0) return undefined;
  const { resource, group } = definition;
  const objects = count === 1 ? '1 object is' : `${count} objects are`;
  return `${objects} shown without the defaults of customresourcedefinition ${JSON.stringify(`${resource}.${group}`)}, which would make them too large`;
}

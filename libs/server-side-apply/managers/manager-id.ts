import type { ManagedFieldsEntry } from '@binnacle/api-objects';
import { BoundedMap } from '@binnacle/event-loop';

/** How a manager came to its fields. */
type ManagerOperation = 'Apply' | 'Update';

/** The identity of a manager: the same name is another manager through another subresource or operation. */
interface ManagerIdentity {
  readonly manager: string;
  readonly operation: ManagerOperation;
  /** Of `Update` managers only: who applies is the same manager in every version. */
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

/** The identity of a manager as a key, ordered by name, then operation, version and subresource. */
export type ManagerId = string & { readonly __brand: 'ManagerId' };

/** The key of a manager. */
export function managerIdFromIdentity(identity: ManagerIdentity): ManagerId {
  const { manager, operation, apiVersion, subresource } = identity;
  const version = operation === 'Apply' ? '' : apiVersion;
  // The one place where the brand is given.
  return JSON.stringify([manager, operation, version, subresource]) as ManagerId;
}

/** Identities by key: most objects have the same few managers. */
const knownIdentities = new BoundedMap<string, ManagerIdentity>(1000);

/** Reads a key back. */
export function parseManagerId(id: string): ManagerIdentity {
  let identity = knownIdentities.get(id);
  if (identity === undefined) {
    identity = readManagerId(id);
    knownIdentities.set(id, identity);
  }
  return identity;
}

function readManagerId(id: string): ManagerIdentity {
  const [manager, operation, apiVersion, subresource] = JSON.parse(id) as [
    string,
    ManagerOperation,
    string,
    string,
  ];
  return { manager, operation, apiVersion, subresource };
}

/** The identity that a stored entry stands for. */
export function managerIdOfEntry(entry: ManagedFieldsEntry, operation: ManagerOperation): ManagerId {
  const { manager = '', apiVersion = '', subresource = '' } = entry;
  return managerIdFromIdentity({ manager, operation, apiVersion, subresource });
}

/** A manager as conflicts name it: `"m1"`, `"m3" with subresource "status" using v1 at 2024-01-01T00:00:00Z`. */
export function managerText(id: string, time?: string): string {
  const { manager, operation, apiVersion, subresource } = parseManagerId(id);
  const name = JSON.stringify(manager);
  const place = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  const when = operation === 'Update' && time !== undefined ? ` at ${time}` : '';
  return `${name}${place}${version}${when}`;
}

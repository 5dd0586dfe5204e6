import type { ManagedFieldsEntry } from '@binnacle/api-objects';
import { BoundedMap } from '@binnacle/event-loop';

/** The operation of a field manager. */
type ManagerOperation = 'Apply' | 'Update';

/** The identity of a field manager: one name with another subresource or operation is another manager. */
interface ManagerIdentity {
  readonly manager: string;
  readonly operation: ManagerOperation;
  /** Only for `Update` managers: an `Apply` manager is the same in every version. */
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

/** The identity of a field manager as a key: name, operation, version and subresource. */
export type ManagerId = string & { readonly __brand: 'ManagerId' };

/** Returns the key of a field manager. */
export function managerIdFromIdentity(identity: ManagerIdentity): ManagerId {
  const { manager, operation, apiVersion, subresource } = identity;
  const version = operation === 'Apply' ? '' : apiVersion;
  // The only place that creates the branded type.
  return JSON.stringify([manager, operation, version, subresource]) as ManagerId;
}

/** Parsed identities by key: most objects have the same few managers. */
const knownIdentities = new BoundedMap<string, ManagerIdentity>(1000);

/** Parses a key. */
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

/** Returns the identity of a managed fields entry. */
export function managerIdOfEntry(entry: ManagedFieldsEntry, operation: ManagerOperation): ManagerId {
  const { manager = '', apiVersion = '', subresource = '' } = entry;
  return managerIdFromIdentity({ manager, operation, apiVersion, subresource });
}

/** Formats a manager for conflict messages: `"m1"`, `"m3" with subresource "status" using v1 at 2024-01-01T00:00:00Z`. */
export function managerText(id: string, time?: string): string {
  const { manager, operation, apiVersion, subresource } = parseManagerId(id);
  const name = JSON.stringify(manager);
  const place = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  const when = operation === 'Update' && time !== undefined ? ` at ${time}` : '';
  return `${name}${place}${version}${when}`;
}

import type { JsonValue } from '@binnacle/api-objects';
import { difference, recursiveDifference, union } from '../field-sets/algebra.ts';
import { emptyFieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { type Owners, reconcileOwners } from './owners.ts';
import { takeOwnership } from './take-ownership.ts';
import { type Converting, convertedAtOnce, type ServedVersions, type Versions, viewOf } from './versions.ts';

/** A write other than an apply. */
export interface OwnUpdateRequest<V extends ServedVersions = Versions> {
  /** The object before, in the version of the write. */
  readonly live: JsonValue;
  /** The object after. */
  readonly next: JsonValue;
  readonly owners: Owners;
  /** The identity of the writer. */
  readonly owner: string;
  /** The version of the write, one of `versions`. */
  readonly apiVersion: string;
  readonly versions: V;
}

/**
 * Records a write other than an apply: the writer alone manages what it changed; what it removed has no manager; what
 * it left alone stays with its managers.
 */
export function ownUpdate(request: OwnUpdateRequest): Owners {
  return convertedAtOnce(ownUpdateSteps(request), request.versions);
}

/** A write as `ownUpdate` records it, for conversions that take their time. */
export function* ownUpdateSteps(request: OwnUpdateRequest<ServedVersions>): Converting<Owners> {
  const { apiVersion, versions, owner } = request;
  const { schema, resetFields = emptyFieldSet } = viewOf(versions, apiVersion);
  const { comparison, owners } = yield* takeOwnership({
    before: { apiVersion, object: request.live, schema },
    after: { apiVersion, object: request.next, schema },
    owners: reconcileOwners(request.owners, versions),
    owner,
    versions,
  });
  const { added, modified, removed } = comparison;
  const kept = difference(owners.get(owner)?.fields ?? emptyFieldSet, removed);
  const fields = recursiveDifference(union(union(kept, modified), added), resetFields);
  owners.delete(owner);
  if (!isEmptyFieldSet(fields)) owners.set(owner, { apiVersion, applied: false, fields });
  return owners;
}

import type { JsonValue } from '@binnacle/api-objects';
import { recursiveDifference } from '../field-sets/algebra.ts';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldSetOf } from '../values/field-set-of.ts';
import { merge } from '../values/merge.ts';
import { type Owners, reconcileOwners } from './owners.ts';
import { prune } from './prune.ts';
import { takeOwnership } from './take-ownership.ts';
import { type Converting, convertedAtOnce, type ServedVersions, type Versions, viewOf } from './versions.ts';

/** An apply. */
export interface OwnApplyRequest<V extends ServedVersions = Versions> {
  /** The object before, in the version of the apply. */
  readonly live: JsonValue;
  /** The configuration, valid under the schema of the version. */
  readonly applied: JsonValue;
  readonly owners: Owners;
  /** The identity of who applies. */
  readonly owner: string;
  /** The version of the apply, one of `versions`. */
  readonly apiVersion: string;
  readonly versions: V;
  /** Take what others own. */
  readonly force: boolean;
}

/** What an apply leads to. */
export interface OwnApplyResult {
  /** The merged object; the live one itself if nothing changes. It shares parts with live and applied. */
  readonly object: JsonValue;
  readonly owners: Owners;
  /** What others own and the apply would change, by owner; without `force` the apply must not happen unless empty. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

/**
 * Applies a configuration: it is merged into the object; what the same manager applied before and now leaves out is
 * removed unless another manager has it; then the manager has exactly the fields that the configuration names.
 */
export function ownApply(request: OwnApplyRequest): OwnApplyResult {
  return convertedAtOnce(ownApplySteps(request), request.versions);
}

/** An apply as `ownApply` does it, for conversions that take their time. */
export function* ownApplySteps(request: OwnApplyRequest<ServedVersions>): Converting<OwnApplyResult> {
  const { live, applied, apiVersion, versions, owner } = request;
  const { schema, resetFields = emptyFieldSet } = viewOf(versions, apiVersion);
  const owners = reconcileOwners(request.owners, versions);
  const last = owners.get(owner);
  const fields = recursiveDifference(fieldSetOf(applied, schema, last?.fields), resetFields);
  owners.set(owner, { apiVersion, applied: true, fields });
  const merged = { apiVersion, object: merge(live, applied, schema), schema };
  const rest = last === undefined ? merged : yield* prune(merged, { last, owners, versions });
  // A container that lost its last member is null now, and empty if the configuration says so.
  const pruned = rest === merged ? merged : { ...rest, object: merge(rest.object, applied, schema) };
  const change = yield* takeOwnership({
    before: { apiVersion, object: live, schema },
    after: pruned,
    owners,
    owner,
    versions,
  });
  if (isEmptyFieldSet(fields)) change.owners.delete(owner);
  return {
    object: pruned.object,
    owners: change.owners,
    conflicts: request.force ? new Map() : change.conflicts,
  };
}

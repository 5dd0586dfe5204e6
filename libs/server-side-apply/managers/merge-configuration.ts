import type { JsonValue } from '@binnacle/api-objects';
import { difference, equalFieldSets, recursiveDifference } from '../field-sets/algebra.ts';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldSetFromValue } from '../values/field-set-from-value.ts';
import { merge } from '../values/merge.ts';
import { type FieldManager, type FieldManagers, reconcileManagers } from './field-managers.ts';
import { managersAfterChange } from './managers-after-change.ts';
import { prune } from './prune.ts';
import { type Converting, convertedAtOnce, getView, type ServedVersions, type Versions } from './versions.ts';

/** An apply. */
interface MergeConfigurationRequest<V extends ServedVersions = Versions> {
  /** The object before, in the version of the apply. */
  readonly live: JsonValue;
  /** The configuration, valid under the schema of the version. */
  readonly applied: JsonValue;
  readonly managers: FieldManagers;
  /** The identity of who applies. */
  readonly manager: string;
  /** The version of the apply, one of `versions`. */
  readonly apiVersion: string;
  readonly versions: V;
  /** Take what others manage. */
  readonly force: boolean;
  /** Fields that no manager has, though a configuration may name them; default: none. */
  readonly unmanaged?: FieldSet;
}

/** The result of merging a configuration. */
export interface MergeConfigurationResult {
  /** The merged object; the live one itself if nothing changes. It shares parts with live and applied. */
  readonly object: JsonValue;
  /** Made for the result. */
  readonly managers: Map<string, FieldManager>;
  /** The fields that others manage and the apply would change, by manager; without `force` the apply must not happen unless empty. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

const noConflicts: ReadonlyMap<string, FieldSet> = new Map();

/**
 * Applies a configuration: it is merged into the object; what the same manager applied before and now leaves out is
 * removed unless another manager has it; then the manager has exactly the fields that the configuration names.
 */
export function mergeConfiguration(request: MergeConfigurationRequest): MergeConfigurationResult {
  return convertedAtOnce(mergeConfigurationSteps(request), request.versions);
}

/** An apply as `mergeConfiguration` does it, for conversions that take their time. */
export function* mergeConfigurationSteps(
  request: MergeConfigurationRequest<ServedVersions>,
): Converting<MergeConfigurationResult> {
  const { live, applied, apiVersion, versions, manager, unmanaged = emptyFieldSet } = request;
  const { schema, resetFields = emptyFieldSet } = getView(versions, apiVersion);
  const managers = reconcileManagers(request.managers, versions);
  const last = managers.get(manager);
  const named = recursiveDifference(fieldSetFromValue(applied, schema, last?.fields), resetFields);
  const managed = difference(named, unmanaged);
  // The usual apply names what the last one did, and then the set is the earlier one.
  const fields = last !== undefined && equalFieldSets(managed, last.fields) ? last.fields : managed;
  managers.set(manager, { apiVersion, applied: true, fields });
  yield;
  const merged = { apiVersion, object: merge(live, applied, schema), schema };
  yield;
  // Then it removes nothing.
  const isAsBefore = last?.fields === fields && last.apiVersion === apiVersion;
  const rest = last === undefined || isAsBefore ? merged : yield* prune(merged, { last, managers, versions });
  // A container that lost its last member is null now, and empty if the configuration says so.
  const pruned = rest === merged ? merged : { ...rest, object: merge(rest.object, applied, schema) };
  yield;
  const change = yield* managersAfterChange({
    before: { apiVersion, object: live, schema },
    after: pruned,
    managers,
    manager,
    versions,
  });
  if (isEmptyFieldSet(fields)) change.managers.delete(manager);
  return {
    object: pruned.object,
    managers: change.managers,
    conflicts: request.force ? noConflicts : change.conflicts,
  };
}

import type { JsonValue } from '@binnacle/api-objects';
import { difference, equalFieldSets, recursiveDifference } from '../field-sets/algebra.ts';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldSetFromValue } from '../values/field-set-from-value.ts';
import { merge } from '../values/merge.ts';
import { type FieldManager, type FieldManagers, reconcileManagers } from './field-managers.ts';
import { managersAfterChange } from './managers-after-change.ts';
import { prune } from './prune.ts';
import { type Converting, convertedAtOnce, getView, type ServedVersions, type Versions } from './versions.ts';

/** A server-side apply. */
interface MergeConfigurationRequest<V extends ServedVersions = Versions> {
  /** The object before the apply, in the version of the apply. */
  readonly live: JsonValue;
  /** The configuration, valid under the schema of the version. */
  readonly applied: JsonValue;
  readonly managers: FieldManagers;
  /** The identity of the applying manager. */
  readonly manager: string;
  /** The version of the apply, one of `versions`. */
  readonly apiVersion: string;
  readonly versions: V;
  /** Whether the apply takes over fields of other managers. */
  readonly force: boolean;
  /** Fields that no manager has, even if a configuration names them; default: none. */
  readonly unmanaged?: FieldSet;
}

/** The result of merging a configuration. */
export interface MergeConfigurationResult {
  /** The merged object; the live object itself if nothing changes. It shares parts with live and applied. */
  readonly object: JsonValue;
  /** A new map. */
  readonly managers: Map<string, FieldManager>;
  /**
   * The fields of other managers that the apply would change, by manager. Without `force`, the result must not be used unless
   * this is empty.
   */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

const noConflicts: ReadonlyMap<string, FieldSet> = new Map();

/**
 * Merges a configuration into the object, removes fields of the manager's last configuration that are now missing unless another
 * manager has them, and assigns exactly the fields of the configuration to the manager.
 */
export function mergeConfiguration(request: MergeConfigurationRequest): MergeConfigurationResult {
  return convertedAtOnce(mergeConfigurationSteps(request), request.versions);
}

/** Merges a configuration as `mergeConfiguration` does, with asynchronous conversions. */
export function* mergeConfigurationSteps(
  request: MergeConfigurationRequest<ServedVersions>,
): Converting<MergeConfigurationResult> {
  const { live, applied, apiVersion, versions, manager, unmanaged = emptyFieldSet } = request;
  const { schema, resetFields = emptyFieldSet } = getView(versions, apiVersion);
  const managers = reconcileManagers(request.managers, versions);
  const last = managers.get(manager);
  const named = recursiveDifference(fieldSetFromValue(applied, schema, last?.fields), resetFields);
  const managed = difference(named, unmanaged);
  // An apply usually names the same fields as the last one; the earlier set is then reused.
  const fields = last !== undefined && equalFieldSets(managed, last.fields) ? last.fields : managed;
  managers.set(manager, { apiVersion, applied: true, fields });
  yield;
  const merged = { apiVersion, object: merge(live, applied, schema), schema };
  yield;
  // An apply with unchanged fields removes nothing.
  const isAsBefore = last?.fields === fields && last.apiVersion === apiVersion;
  const rest = last === undefined || isAsBefore ? merged : yield* prune(merged, { last, managers, versions });
  // A container whose last member was removed is null, or empty if the configuration contains it empty.
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

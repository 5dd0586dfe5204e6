import { difference, intersection, union } from '../field-sets/algebra.ts';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldSetFromValue } from '../values/field-set-from-value.ts';
import { withNamedFields } from '../values/named-fields.ts';
import { removeItems } from '../values/remove-items.ts';
import type { FieldManager, FieldManagers } from './field-managers.ts';
import { type Converting, inVersion, type ServedVersions, type VersionedObject } from './versions.ts';

/** Context of pruning. */
interface PruneContext {
  /** The previous fields of the applying manager. */
  readonly last: FieldManager;
  /** All managers, the applying one with its new fields. */
  readonly managers: FieldManagers;
  readonly versions: ServedVersions;
}

/**
 * Removes fields of a manager's last configuration that the new one does not name and no other manager has. Unmanaged fields
 * below a removed field are removed with it; other unmanaged fields are kept.
 */
export function* prune(merged: VersionedObject, context: PruneContext): Converting<VersionedObject> {
  const { last, managers, versions } = context;
  const inLast = yield* inVersion(merged, last.apiVersion, versions);
  if (inLast === undefined) return merged;
  const byVersion = fieldsByVersion(managers);
  const managedInLast = byVersion.get(last.apiVersion) ?? emptyFieldSet;
  // An apply usually names all fields of the last one: then nothing is pruned.
  if (isEmptyFieldSet(difference(last.fields, managedInLast))) return merged;
  yield;
  const whole = measured(inLast);
  yield;
  const named = withNamedFields(last.fields, inLast.schema);
  let pruned: VersionedObject = { ...inLast, object: removeItems(inLast.object, named, inLast.schema) };
  byVersion.delete(last.apiVersion);
  yield;
  pruned = addBackManaged(whole, pruned, managedInLast);
  for (const [apiVersion, fields] of byVersion) {
    const all = yield* inVersion(inLast, apiVersion, versions);
    const part = yield* inVersion(pruned, apiVersion, versions);
    yield;
    if (all !== undefined && part !== undefined) pruned = addBackManaged(measured(all), part, fields);
  }
  const part = yield* inVersion(pruned, last.apiVersion, versions);
  yield;
  const rest = part === undefined ? inLast : removeManagedBefore(whole, part, named);
  // The version of the apply is served, so the conversion back succeeds.
  return (yield* inVersion(rest, merged.apiVersion, versions)) ?? merged;
}

function fieldsByVersion(managers: FieldManagers): Map<string, FieldSet> {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? emptyFieldSet, fields));
  }
  return byVersion;
}

/** An object with the set of its fields. */
interface MeasuredObject extends VersionedObject {
  readonly fields: FieldSet;
}

function measured(versioned: VersionedObject): MeasuredObject {
  return { ...versioned, fields: collectFields(versioned) };
}

/** Returns the whole object without the fields that pruning removed and no manager has. */
function addBackManaged(whole: MeasuredObject, part: VersionedObject, managed: FieldSet): VersionedObject {
  const { apiVersion, schema, fields } = whole;
  const keep = union(collectFields(part), withNamedFields(managed, schema));
  return { apiVersion, schema, object: removeItems(whole.object, difference(fields, keep), schema) };
}

/** Returns the whole object without the fields that are missing in the part and were in the last configuration. */
function removeManagedBefore(whole: MeasuredObject, part: VersionedObject, last: FieldSet): VersionedObject {
  const { apiVersion, schema, fields } = whole;
  const gone = intersection(difference(fields, collectFields(part)), last);
  return { apiVersion, schema, object: removeItems(whole.object, gone, schema) };
}

function collectFields(versioned: VersionedObject): FieldSet {
  const { object, schema } = versioned;
  return withNamedFields(fieldSetFromValue(object, schema), schema);
}

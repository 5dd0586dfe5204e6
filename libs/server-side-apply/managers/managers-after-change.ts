import { difference, intersection, union } from '../field-sets/algebra.ts';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { type Comparison, compare, comparisonWithout } from '../values/compare.ts';
import type { FieldManager, FieldManagers } from './field-managers.ts';
import { type Converting, inVersion, type ServedVersions, type VersionedObject } from './versions.ts';

/** A change of an object by one field manager. */
interface ManagedChange {
  readonly before: VersionedObject;
  /** In the same version as `before`. */
  readonly after: VersionedObject;
  readonly managers: FieldManagers;
  /** The identity of the manager that makes the change; its own fields do not conflict. */
  readonly manager: string;
  readonly versions: ServedVersions;
}

/** The field managers after a change. */
interface ManagersAfterChange {
  /** The difference of the objects in the version of the change. */
  readonly comparison: Comparison;
  /** All managers, the others without the fields that the change sets or removes. */
  readonly managers: Map<string, FieldManager>;
  /** The fields that the change sets and other managers have, by manager. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

/** Computes the managers after a change, and the fields that it takes from others. */
export function* managersAfterChange(change: ManagedChange): Converting<ManagersAfterChange> {
  const own = change.before.apiVersion;
  const comparison = compared(change.before, change.after, change.versions);
  const inOwn = touchedBy(comparison);
  /** Comparisons in versions other than that of the change. */
  let others: Map<string, Touched | undefined> | undefined;
  const managers = new Map<string, FieldManager>();
  let conflicts: Map<string, FieldSet> | undefined;
  for (const [id, manager] of change.managers) {
    if (id === change.manager) {
      managers.set(id, manager);
      continue;
    }
    let touched: Touched | undefined = inOwn;
    if (manager.apiVersion !== own) {
      others ??= new Map();
      if (!others.has(manager.apiVersion)) {
        const compared = yield* compareIn(manager.apiVersion, change);
        others.set(manager.apiVersion, compared && touchedBy(compared));
      }
      touched = others.get(manager.apiVersion);
    }
    yield;
    if (touched === undefined) continue;
    const taken = intersection(manager.fields, touched.set);
    if (!isEmptyFieldSet(taken)) {
      conflicts ??= new Map();
      conflicts.set(id, taken);
    }
    yield;
    const fields = difference(difference(manager.fields, taken), touched.removed);
    if (!isEmptyFieldSet(fields))
      managers.set(id, fields === manager.fields ? manager : { ...manager, fields });
  }
  return { comparison, managers, conflicts: conflicts ?? noConflicts };
}

const noConflicts: ReadonlyMap<string, FieldSet> = new Map();

/** The fields that a change sets, and those that it removes. */
interface Touched {
  readonly set: FieldSet;
  readonly removed: FieldSet;
}

function touchedBy({ added, modified, removed }: Comparison): Touched {
  return { set: union(modified, added), removed };
}

function* compareIn(apiVersion: string, change: ManagedChange): Converting<Comparison | undefined> {
  const before = yield* inVersion(change.before, apiVersion, change.versions);
  const after = yield* inVersion(change.after, apiVersion, change.versions);
  return before && after && compared(before, after, change.versions);
}

/** Compares two objects of one version, ignoring fields that writes of the version cannot set. */
function compared(before: VersionedObject, after: VersionedObject, versions: ServedVersions): Comparison {
  const comparison = compare(before.object, after.object, before.schema);
  return comparisonWithout(comparison, versions.view(before.apiVersion)?.resetFields);
}

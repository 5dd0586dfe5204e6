import { difference, equalFieldSets, union } from '../field-sets/algebra.ts';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { reconcile } from '../values/reconcile.ts';
import type { ServedVersions } from './versions.ts';

/** A field manager and its fields. */
export interface FieldManager {
  /** The version in which the fields are named. */
  readonly apiVersion: string;
  /** Whether the manager's operation is Apply; otherwise it is Update. */
  readonly applied: boolean;
  readonly fields: FieldSet;
}

/** The field managers of an object, by identity; managers without fields are not included. */
export type FieldManagers = ReadonlyMap<string, FieldManager>;

/** Whether both have the same managers with the same fields. */
export function equalManagers(a: FieldManagers, b: FieldManagers): boolean {
  if (a.size !== b.size) return false;
  for (const [id, manager] of a) {
    const other = b.get(id);
    if (other === undefined || other.apiVersion !== manager.apiVersion || other.applied !== manager.applied)
      return false;
    if (!equalFieldSets(manager.fields, other.fields)) return false;
  }
  return true;
}

/** Returns, by manager, the fields that only one of two objects' managers has; all of `b` if the versions differ. */
export function managersDifference(a: FieldManagers, b: FieldManagers): FieldManagers {
  const result = new Map<string, FieldManager>();
  for (const id of new Set([...a.keys(), ...b.keys()])) {
    const ofA = a.get(id);
    const ofB = b.get(id);
    const manager = ofA === undefined || ofB === undefined ? (ofA ?? ofB!) : differentFields(ofA, ofB);
    if (!isEmptyFieldSet(manager.fields)) result.set(id, manager);
  }
  return result;
}

function differentFields(a: FieldManager, b: FieldManager): FieldManager {
  if (a.apiVersion !== b.apiVersion) return b;
  return { ...a, fields: union(difference(a.fields, b.fields), difference(b.fields, a.fields)) };
}

/** Adapts the sets of all managers to the current schemas of their versions; drops managers of unknown versions. */
export function reconcileManagers(
  managers: FieldManagers,
  versions: ServedVersions,
): Map<string, FieldManager> {
  const result = new Map<string, FieldManager>();
  for (const [id, manager] of managers) {
    const view = versions.view(manager.apiVersion);
    if (view === undefined) continue;
    const fields = reconcile(manager.fields, view.schema);
    result.set(id, fields === manager.fields ? manager : { ...manager, fields });
  }
  return result;
}

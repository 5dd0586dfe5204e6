import { difference, equalFieldSets, union } from '../field-sets/algebra.ts';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { reconcile } from '../values/reconcile.ts';
import type { ServedVersions } from './versions.ts';

/** A field manager: what it has of an object. */
export interface FieldManager {
  /** The version in which the fields are named. */
  readonly apiVersion: string;
  /** The manager applied them; otherwise they were set by other writes. */
  readonly applied: boolean;
  readonly fields: FieldSet;
}

/** The managers of the fields of an object, by identity; managers of nothing are not in it. */
export type FieldManagers = ReadonlyMap<string, FieldManager>;

/** Asks whether the same managers have the same fields. */
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

/** The difference of two objects' managers, by manager: the fields in one of them only; all of `b` where the versions differ. */
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

/** Fits the sets of all managers to the present schemas of their versions; managers of unknown versions are dropped. */
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

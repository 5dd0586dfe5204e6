import { difference, equalFieldSets, union } from '../field-sets/algebra.ts';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { reconcile } from '../values/reconcile.ts';
import type { ServedVersions } from './versions.ts';

/** The fields of one owner. */
export interface FieldOwner {
  /** The version in which the fields are named. */
  readonly apiVersion: string;
  /** The owner applied them; otherwise they were set by other writes. */
  readonly applied: boolean;
  readonly fields: FieldSet;
}

/** Who owns what, by the identity of the owner; owners of nothing are not in it. */
export type Owners = ReadonlyMap<string, FieldOwner>;

/** Asks whether two records of ownership say the same. */
export function equalOwners(a: Owners, b: Owners): boolean {
  if (a.size !== b.size) return false;
  for (const [id, owner] of a) {
    const other = b.get(id);
    if (other === undefined || other.apiVersion !== owner.apiVersion || other.applied !== owner.applied)
      return false;
    if (!equalFieldSets(owner.fields, other.fields)) return false;
  }
  return true;
}

/** What sets two records apart, by owner: the fields in one of them only; all of `b` where the versions differ. */
export function ownersDifference(a: Owners, b: Owners): Owners {
  const result = new Map<string, FieldOwner>();
  for (const id of new Set([...a.keys(), ...b.keys()])) {
    const ofA = a.get(id);
    const ofB = b.get(id);
    const owner = ofA === undefined || ofB === undefined ? (ofA ?? ofB!) : differentFields(ofA, ofB);
    if (!isEmptyFieldSet(owner.fields)) result.set(id, owner);
  }
  return result;
}

function differentFields(a: FieldOwner, b: FieldOwner): FieldOwner {
  if (a.apiVersion !== b.apiVersion) return b;
  return { ...a, fields: union(difference(a.fields, b.fields), difference(b.fields, a.fields)) };
}

/** Fits the sets of all owners to the present schemas of their versions; owners of unknown versions are dropped. */
export function reconcileOwners(owners: Owners, versions: ServedVersions): Map<string, FieldOwner> {
  const result = new Map<string, FieldOwner>();
  for (const [id, owner] of owners) {
    const view = versions.view(owner.apiVersion);
    if (view === undefined) continue;
    const fields = reconcile(owner.fields, view.schema);
    result.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return result;
}

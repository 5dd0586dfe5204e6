import { difference, intersection, union } from '../field-sets/algebra.ts';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { type Comparison, compare, comparisonWithout } from '../values/compare.ts';
import type { FieldOwner, Owners } from './owners.ts';
import { type Converting, inVersion, type ServedVersions, type VersionedObject } from './versions.ts';

/** A change of an object by one owner. */
export interface OwnedChange {
  readonly before: VersionedObject;
  /** In the same version. */
  readonly after: VersionedObject;
  readonly owners: Owners;
  /** The identity of who makes the change; its own fields are nothing to conflict with. */
  readonly owner: string;
  readonly versions: ServedVersions;
}

/** What a change does to those who own what it touches. */
export interface OwnershipChange {
  /** The difference of the objects in the version of the change. */
  readonly comparison: Comparison;
  /** All owners without what the change takes from them: what it sets, and what is no longer there. */
  readonly owners: Map<string, FieldOwner>;
  /** What the change sets that others own, by owner. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

/** Works out whom a change takes fields from. */
export function* takeOwnership(change: OwnedChange): Converting<OwnershipChange> {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparison = (yield* compareIn(change.before.apiVersion, change))!; // an object is always in its own version
  comparisons.set(change.before.apiVersion, comparison);
  const owners = new Map<string, FieldOwner>();
  const conflicts = new Map<string, FieldSet>();
  for (const [id, owner] of change.owners) {
    if (id === change.owner) {
      owners.set(id, owner);
      continue;
    }
    if (!comparisons.has(owner.apiVersion))
      comparisons.set(owner.apiVersion, yield* compareIn(owner.apiVersion, change));
    const versioned = comparisons.get(owner.apiVersion);
    if (versioned === undefined) continue;
    const taken = intersection(owner.fields, union(versioned.modified, versioned.added));
    if (!isEmptyFieldSet(taken)) conflicts.set(id, taken);
    const fields = difference(difference(owner.fields, taken), versioned.removed);
    if (!isEmptyFieldSet(fields)) owners.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return { comparison, owners, conflicts };
}

function* compareIn(apiVersion: string, change: OwnedChange): Converting<Comparison | undefined> {
  const before = yield* inVersion(change.before, apiVersion, change.versions);
  const after = yield* inVersion(change.after, apiVersion, change.versions);
  if (before === undefined || after === undefined) return undefined;
  const comparison = compare(before.object, after.object, before.schema);
  return comparisonWithout(comparison, change.versions.view(apiVersion)?.resetFields);
}

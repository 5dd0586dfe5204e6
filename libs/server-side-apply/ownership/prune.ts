import { difference, intersection, union } from '../field-sets/algebra.ts';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldSetOf } from '../values/field-set-of.ts';
import { withNamedFields } from '../values/named-fields.ts';
import { removeItems } from '../values/remove-items.ts';
import type { FieldOwner, Owners } from './owners.ts';
import { inVersion, type VersionedObject, type Versions } from './versions.ts';

/** What pruning needs to know besides the object. */
export interface PruneContext {
  /** What the owner had applied until now. */
  readonly last: FieldOwner;
  /** All owners, the one who applies with its new fields. */
  readonly owners: Owners;
  readonly versions: Versions;
}

/**
 * Removes what the last configuration of an owner named, the new one does not, and nobody else owns. Things that
 * nobody owns below a removed one go with it; otherwise they stay.
 */
export function prune(merged: VersionedObject, context: PruneContext): VersionedObject {
  const { last, owners, versions } = context;
  const inLast = inVersion(merged, last.apiVersion, versions);
  if (inLast === undefined) return merged;
  const named = withNamedFields(last.fields, inLast.schema);
  const byVersion = ownedByVersion(owners);
  const ownedInLast = byVersion.get(last.apiVersion) ?? emptyFieldSet;
  // The usual apply names again what the last one did: then there is nothing to look for.
  if (isEmptyFieldSet(difference(named, withNamedFields(ownedInLast, inLast.schema)))) return merged;
  let pruned: VersionedObject = { ...inLast, object: removeItems(inLast.object, named, inLast.schema) };
  byVersion.delete(last.apiVersion);
  pruned = addBackOwned(inLast, pruned, ownedInLast);
  for (const [apiVersion, owned] of byVersion) {
    const whole = inVersion(inLast, apiVersion, versions);
    const part = inVersion(pruned, apiVersion, versions);
    if (whole !== undefined && part !== undefined) pruned = addBackOwned(whole, part, owned);
  }
  const part = inVersion(pruned, last.apiVersion, versions);
  const rest = part === undefined ? inLast : removeOwnedBefore(inLast, part, named);
  // The version of the apply is known, so the conversion back succeeds.
  return inVersion(rest, merged.apiVersion, versions) ?? merged;
}

function ownedByVersion(owners: Owners): Map<string, FieldSet> {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of owners.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? emptyFieldSet, fields));
  }
  return byVersion;
}

/** Leaves out of the whole object only what pruning removed and no owner holds. */
function addBackOwned(whole: VersionedObject, part: VersionedObject, owned: FieldSet): VersionedObject {
  const { schema } = whole;
  const keep = union(fieldsOf(part), withNamedFields(owned, schema));
  const object = removeItems(whole.object, difference(fieldsOf(whole), keep), schema);
  return { ...whole, object };
}

/** Leaves out of the whole object only what is not in the part and was in the last configuration. */
function removeOwnedBefore(whole: VersionedObject, part: VersionedObject, last: FieldSet): VersionedObject {
  const { schema } = whole;
  const gone = intersection(difference(fieldsOf(whole), fieldsOf(part)), last);
  return { ...whole, object: removeItems(whole.object, gone, schema) };
}

function fieldsOf(versioned: VersionedObject): FieldSet {
  const { object, schema } = versioned;
  return withNamedFields(fieldSetOf(object, schema), schema);
}

import { difference } from '../field-sets/algebra.ts';
import { type FieldSet, fieldSetOfPaths, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldElement } from '../field-sets/path-element.ts';
import type { FieldOwner } from '../ownership/owners.ts';

const systemMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** Fields that identify an object or that the server maintains: no manager has them. */
export const neverOwned: FieldSet = fieldSetOfPaths([
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...systemMetadata.map(name => [fieldElement('metadata'), fieldElement(name)]),
]);

/** Removes the `neverOwned` fields of one manager; removes the manager if nothing is left. */
export function stripNeverOwned(owners: Map<string, FieldOwner>, id: string): void {
  const owner = owners.get(id);
  if (owner === undefined) return;
  const fields = difference(owner.fields, neverOwned);
  if (isEmptyFieldSet(fields)) owners.delete(id);
  else if (fields !== owner.fields) owners.set(id, { ...owner, fields });
}

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

/** What identifies an object or is kept by the server: nobody owns it. */
export const neverOwned: FieldSet = fieldSetOfPaths([
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...systemMetadata.map(name => [fieldElement('metadata'), fieldElement(name)]),
]);

/** Takes from an owner what nobody owns; the owner goes if nothing is left. */
export function stripNeverOwned(owners: Map<string, FieldOwner>, id: string): void {
  const owner = owners.get(id);
  if (owner === undefined) return;
  const fields = difference(owner.fields, neverOwned);
  if (isEmptyFieldSet(fields)) owners.delete(id);
  else if (fields !== owner.fields) owners.set(id, { ...owner, fields });
}

import { difference } from '../field-sets/algebra.ts';
import { type FieldSet, fieldSetOfPaths, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { fieldElement } from '../field-sets/path-element.ts';
import type { FieldManager } from './field-managers.ts';

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

/** Fields that identify an object or that the server sets; no manager has them. */
export const unmanagedFields: FieldSet = fieldSetOfPaths([
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...systemMetadata.map(name => [fieldElement('metadata'), fieldElement(name)]),
]);

/** Removes `unmanagedFields` from the fields of one manager; removes a manager without remaining fields. */
export function stripUnmanaged(managers: Map<string, FieldManager>, id: string): void {
  const manager = managers.get(id);
  if (manager === undefined) return;
  const fields = difference(manager.fields, unmanagedFields);
  if (isEmptyFieldSet(fields)) managers.delete(id);
  else if (fields !== manager.fields) managers.set(id, { ...manager, fields });
}

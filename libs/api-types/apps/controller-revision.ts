import {
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  parseApiVersion,
  requiredField,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ControllerRevision } from '../generated/apps/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of ControllerRevision objects: `data` is immutable, only the revision number may change. */
export const controllerRevisionRules: KindRules<ControllerRevision> = {
  validate: revisionErrors,
  validateUpdate: (object, old) =>
    equalJson(object.data, old.data) ? [] : [invalidField('data', object.data ?? null, 'field is immutable')],
  columns: [
    nameColumn,
    column('Controller', 'The object that the revision belongs to.'),
    column('Revision', 'The number of the revision.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameCell(object),
    controllerCell(object),
    object.revision ?? 0,
    ageCell(object, now),
  ],
};

function revisionErrors(object: ControllerRevision): FieldError[] {
  const errors: FieldError[] = [];
  const data = object.data ?? null;
  if (data === null) errors.push(requiredField('data', 'data is mandatory'));
  const revision = object.revision ?? 0;
  if (revision < 0)
    errors.push(invalidField(fieldPath('revision'), revision, 'must be greater than or equal to 0'));
  return errors;
}

function controllerCell(object: ControllerRevision): string {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const { group } = parseApiVersion(owner.apiVersion);
  return `${owner.kind}${group === '' ? '' : `.${group}`}`.toLowerCase().concat('/', owner.name);
}

import { type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Lease } from '../generated/coordination/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of Lease objects; an update must contain the resourceVersion. */
export const leaseRules: KindRules<Lease> = {
  unconditionalUpdate: false,
  createOnUpdate: true,
  validate,
  columns: [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  cells: (object, now) => [nameCell(object), object.spec?.holderIdentity ?? '', ageCell(object, now)],
};

function validate(object: Lease): FieldError[] {
  const path = fieldPath('spec');
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = object.spec ?? {};
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalidField(path.child('leaseDurationSeconds'), duration, 'must be greater than 0')]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidField(path.child('leaseTransitions'), transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

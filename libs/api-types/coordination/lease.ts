import { type ApiObject, type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';

/** The rules of Lease objects; an update must name the version that it replaces. */
export const leaseRules: KindRules = {
  unconditionalUpdate: false,
  createOnUpdate: true,
  validate,
  columns: [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  cells: (object, now) => [
    nameOf(object),
    asText(asObject(object['spec'])?.['holderIdentity']),
    ageOf(object, now),
  ],
};

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = asObject(object['spec']) ?? {};
  return [
    ...(typeof duration === 'number' && duration <= 0
      ? [invalidField(path.child('leaseDurationSeconds'), duration, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalidField(path.child('leaseTransitions'), transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

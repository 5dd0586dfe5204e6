import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  splitApiVersion,
  validateDns1035Label,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type {
  MatchResources,
  ParamKind,
  ValidatingAdmissionPolicy,
  Validation,
} from '../generated/admissionregistration/v1alpha1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { matchResourcesErrors } from './match-resources.ts';

/**
 * Reasons with which a policy may refuse a request. `Unauthorized` is not allowed, because it would mean that the client is not
 * authenticated.
 */
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** The rules of ValidatingAdmissionPolicy objects; only their structure is validated. */
export const validatingAdmissionPolicyRules: KindRules<ValidatingAdmissionPolicy> = {
  unconditionalUpdate: false,
  generation: true,
  validate,
  columns: [
    nameColumn,
    column('Validations', 'The number of validations.', { type: 'integer' }),
    column('ParamKind', 'The kind of the parameters.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const { paramKind: kind, validations } = object.spec ?? {};
    return [
      nameCell(object),
      (validations ?? []).length,
      kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : '<unset>',
      ageCell(object, now),
    ];
  },
  authored: ({ spec = {} }) => spec as JsonObject, // An API object is JSON.
};

function validate(object: ValidatingAdmissionPolicy): FieldError[] {
  const path = fieldPath('spec');
  const spec = object.spec ?? {};
  const kind = spec.paramKind;
  const validations = spec.validations ?? [];
  return [
    ...(kind ? paramKindErrors(kind, path.child('paramKind')) : []),
    ...constraintErrors(spec.matchConstraints, path.child('matchConstraints')),
    ...(validations.length === 0 ? [requiredField(path.child('validations'))] : []),
    ...validations.flatMap((validation, index) =>
      validationErrors(validation, path.child('validations').index(index)),
    ),
  ];
}

/** A policy must name resources, because they determine the types of its expressions. */
function constraintErrors(constraints: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (!constraints) return [requiredField(path)];
  const rules = path.child('resourceRules');
  return [
    ...matchResourcesErrors(constraints, path),
    ...((constraints.resourceRules ?? []).length === 0 ? [requiredField(rules)] : []),
  ];
}

function paramKindErrors(paramKind: ParamKind, path: FieldPath): FieldError[] {
  const { apiVersion = '', kind = '' } = paramKind;
  return [
    ...(apiVersion === ''
      ? [requiredField(path.child('apiVersion'))]
      : apiVersionErrors(apiVersion, path.child('apiVersion'))),
    ...(kind === ''
      ? [requiredField(path.child('kind'))]
      : validateDns1035Label(kind.toLowerCase()).map(message =>
          invalidField(path.child('kind'), kind, `case apart: ${message}`),
        )),
  ];
}

function apiVersionErrors(apiVersion: string, path: FieldPath): FieldError[] {
  const { group, version } = splitApiVersion(apiVersion);
  if (version.includes('/'))
    return [invalidField(path, apiVersion, 'must be <group>/<version> or <version>')];
  const groupMessages = apiVersion.includes('/') ? validateDnsSubdomain(group) : [];
  return [...groupMessages, ...validateDns1035Label(version)].map(message =>
    invalidField(path, apiVersion, message),
  );
}

function validationErrors(validation: Validation, path: FieldPath): FieldError[] {
  const { message = '', reason = '' } = validation;
  const expression = (validation.expression ?? '').trim();
  const at = path.child('message');
  const errors = expression === '' ? [requiredField(path.child('expression'))] : [];
  if (message === '' && expression.includes('\n'))
    errors.push(requiredField(at, 'an expression of several lines needs a message'));
  if (message !== '' && message.trim() === '')
    errors.push(invalidField(at, message, 'must not be blank where it is given'));
  if (message.trim().includes('\n')) errors.push(invalidField(at, message, 'must not contain line breaks'));
  if (reason !== '' && !reasons.includes(reason))
    errors.push(notSupportedField(path.child('reason'), reason, reasons));
  return errors;
}

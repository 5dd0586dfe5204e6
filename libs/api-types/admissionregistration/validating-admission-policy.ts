import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  validateDns1035Label,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asList, asObject, asObjects, asText } from '../values/json-access.ts';
import { canonicalizeMatchGroups, matchResourcesErrors } from './match-resources.ts';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];

/** The rules of ValidatingAdmissionPolicy objects, as far as their structure goes. */
export const validatingAdmissionPolicyRules: KindRules = {
  unconditionalUpdate: false,
  generation: true,
  applyDefaults: object => canonicalizeMatchGroups(asObject(asObject(object['spec'])?.['matchConstraints'])),
  validate,
  columns: [
    nameColumn,
    column('Validations', 'The number of validations.', { type: 'integer' }),
    column('ParamKind', 'The kind of the parameters.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = asObject(object['spec']);
    const kind = asObject(spec?.['paramKind']);
    return [
      nameOf(object),
      asList(spec?.['validations']).length,
      kind ? `${asText(kind['apiVersion'])}/${asText(kind['kind'])}` : '<unset>',
      ageOf(object, now),
    ];
  },
};

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const spec = asObject(object['spec']) ?? {};
  const kind = asObject(spec['paramKind']);
  const validations = asObjects(spec['validations']);
  return [
    ...(kind ? paramKindErrors(kind, path.child('paramKind')) : []),
    ...constraintErrors(asObject(spec['matchConstraints']), path.child('matchConstraints')),
    ...(validations.length === 0 ? [requiredField(path.child('validations'))] : []),
    ...validations.flatMap((validation, index) =>
      validationErrors(validation, path.child('validations').index(index)),
    ),
  ];
}

/** A policy names the resources that it is about: they are what its expressions are typed by. */
function constraintErrors(constraints: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!constraints) return [requiredField(path)];
  const rules = path.child('resourceRules');
  return [
    ...matchResourcesErrors(constraints, path),
    ...(asList(constraints['resourceRules']).length === 0 ? [requiredField(rules)] : []),
  ];
}

function paramKindErrors(paramKind: JsonObject, path: FieldPath): FieldError[] {
  const apiVersion = asText(paramKind['apiVersion']);
  const kind = asText(paramKind['kind']);
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
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalidField(path, apiVersion, 'must be <group>/<version> or <version>')];
  const [version = '', group] = parts.reverse();
  return [...(group === undefined ? [] : validateDnsSubdomain(group)), ...validateDns1035Label(version)].map(
    message => invalidField(path, apiVersion, message),
  );
}

function validationErrors(validation: JsonObject, path: FieldPath): FieldError[] {
  const expression = asText(validation['expression']).trim();
  const message = asText(validation['message']);
  const reason = asText(validation['reason']);
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

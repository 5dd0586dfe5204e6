import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';
import { canonicalizeMatchGroups, matchResourcesErrors } from './match-resources.ts';

/** The rules of ValidatingAdmissionPolicyBinding objects. */
export const validatingAdmissionPolicyBindingRules: KindRules = {
  unconditionalUpdate: false,
  generation: true,
  applyDefaults: object => canonicalizeMatchGroups(asObject(asObject(object['spec'])?.['matchResources'])),
  validate,
  columns: [
    nameColumn,
    column('PolicyName', 'The policy that is bound.'),
    column('ParamRef', 'The object that holds the parameters.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = asObject(object['spec']);
    return [nameOf(object), asText(spec?.['policyName']), paramRefOf(object), ageOf(object, now)];
  },
};

function paramRefOf(object: ApiObject): string {
  const reference = asObject(asObject(object['spec'])?.['paramRef']);
  if (!reference) return '<unset>';
  const namespace = asText(reference['namespace']);
  const name = asText(reference['name']);
  return namespace === '' ? name : `${namespace}/${name}`;
}

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const spec = asObject(object['spec']) ?? {};
  const reference = asObject(spec['paramRef']);
  const resources = asObject(spec['matchResources']);
  const namespace = asText(reference?.['namespace']);
  const at = path.child('paramRef');
  return [
    ...nameErrors(asText(spec['policyName']), path.child('policyName'), validateDnsSubdomain),
    ...(reference ? nameErrors(asText(reference['name']), at.child('name'), validatePathSegmentName) : []),
    ...(namespace === ''
      ? []
      : validateDnsLabel(namespace).map(message => invalidField(at.child('namespace'), namespace, message))),
    ...(resources ? matchResourcesErrors(resources, path.child('matchResources')) : []),
  ];
}

function nameErrors(name: string, path: FieldPath, rule: (name: string) => string[]): FieldError[] {
  return name === '' ? [requiredField(path)] : rule(name).map(message => invalidField(path, name, message));
}

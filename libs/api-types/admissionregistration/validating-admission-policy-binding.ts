import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type {
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '../generated/admissionregistration/v1alpha1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { matchResourcesErrors } from './match-resources.ts';

/** The rules of ValidatingAdmissionPolicyBinding objects. */
export const validatingAdmissionPolicyBindingRules: KindRules<ValidatingAdmissionPolicyBinding> = {
  unconditionalUpdate: false,
  generation: true,
  validate,
  columns: [
    nameColumn,
    column('PolicyName', 'The policy that is bound.'),
    column('ParamRef', 'The object that holds the parameters.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameCell(object),
    object.spec?.policyName ?? '',
    paramRefText(object.spec?.paramRef),
    ageCell(object, now),
  ],
};

function paramRefText(reference: ParamRef | undefined): string {
  if (!reference) return '<unset>';
  const { namespace = '', name = '' } = reference;
  return namespace === '' ? name : `${namespace}/${name}`;
}

function validate(object: ValidatingAdmissionPolicyBinding): FieldError[] {
  const path = fieldPath('spec');
  const { policyName = '', paramRef: reference, matchResources: resources } = object.spec ?? {};
  const namespace = reference?.namespace ?? '';
  const at = path.child('paramRef');
  return [
    ...nameErrors(policyName, path.child('policyName'), validateDnsSubdomain),
    ...(reference ? nameErrors(reference.name ?? '', at.child('name'), validatePathSegmentName) : []),
    ...(namespace === ''
      ? []
      : validateDnsLabel(namespace).map(message => invalidField(at.child('namespace'), namespace, message))),
    ...(resources ? matchResourcesErrors(resources, path.child('matchResources')) : []),
  ];
}

function nameErrors(name: string, path: FieldPath, rule: (name: string) => string[]): FieldError[] {
  return name === '' ? [requiredField(path)] : rule(name).map(message => invalidField(path, name, message));
}

import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  validateDnsLabel,
  validateDomainPrefixedPath,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { IngressClass, IngressClassParametersReference } from '../generated/networking/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { localReferenceErrors } from './local-reference-validation.ts';

/** The rules of IngressClass objects: the controller is immutable (spec/3, IngressClass). */
export const ingressClassRules: KindRules<IngressClass> = {
  generation: true,
  applyDefaults(object) {
    const parameters = object.spec?.parameters;
    if (parameters && (parameters.scope ?? null) === null) parameters.scope = 'Cluster';
  },
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    column('Controller', 'The controller of ingresses of the class.'),
    column('Parameters', 'The object that holds the settings of the class.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameCell(object),
    object.spec?.controller ?? '',
    parametersText(object.spec?.parameters),
    ageCell(object, now),
  ],
};

const longestController = 250;
const scopes = ['Cluster', 'Namespace'];

function validate(object: IngressClass): FieldError[] {
  const spec = object.spec ?? {};
  const path = fieldPath('spec', 'controller');
  const controller = spec.controller ?? '';
  const parameters = spec.parameters;
  return [
    ...(controller.length > longestController ? [tooLongField(path, '', longestController)] : []),
    ...(controller === ''
      ? [requiredField(path)]
      : validateDomainPrefixedPath(controller).map(message => invalidField(path, controller, message))),
    ...(parameters ? parameterErrors(parameters, fieldPath('spec', 'parameters')) : []),
  ];
}

function parameterErrors(parameters: IngressClassParametersReference, path: FieldPath): FieldError[] {
  return [...localReferenceErrors(parameters, path), ...scopeErrors(parameters, path)];
}

/** Namespaced parameters require a namespace, cluster-scoped ones forbid it. */
function scopeErrors(parameters: IngressClassParametersReference, path: FieldPath): FieldError[] {
  const scope = parameters.scope ?? '';
  const namespace = parameters.namespace ?? undefined;
  const at = path.child('namespace');
  switch (scope) {
    case '':
      return [requiredField(path.child('scope'))];
    case 'Cluster':
      return namespace === undefined ? [] : [forbiddenField(at, "`parameters.scope` is set to 'Cluster'")];
    case 'Namespace':
      if (namespace === undefined) return [requiredField(at, "`parameters.scope` is set to 'Namespace'")];
      return validateDnsLabel(namespace ?? '').map(message => invalidField(at, namespace, message));
    default:
      return [notSupportedField(path.child('scope'), scope, scopes)];
  }
}

function validateUpdate(object: IngressClass, old: IngressClass): FieldError[] {
  const controller = object.spec?.controller ?? '';
  if (controller === (old.spec?.controller ?? '')) return [];
  return [invalidField(fieldPath('spec', 'controller'), controller, 'field is immutable')];
}

function parametersText(parameters: IngressClassParametersReference | undefined): string {
  if (!parameters) return '<none>';
  const group = parameters.apiGroup;
  const suffix = typeof group === 'string' ? `.${group}` : '';
  return `${parameters.kind ?? ''}${suffix}/${parameters.name ?? ''}`;
}

import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  tooLongField,
  validateDnsLabel,
  validateDomainPrefixedPath,
} from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';
import { localReferenceErrors } from './local-reference-validation.ts';

/** The rules of IngressClass objects: the controller stays as created (spec/3, IngressClass). */
export const ingressClassRules: KindRules = {
  generation: true,
  applyDefaults(object) {
    const parameters = asObject(specOf(object)['parameters']);
    if (parameters && (parameters['scope'] ?? null) === null) parameters['scope'] = 'Cluster';
  },
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    column('Controller', 'Who serves ingresses of the class.'),
    column('Parameters', 'The object that holds the settings of the class.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameOf(object),
    asText(specOf(object)['controller']),
    parametersText(asObject(specOf(object)['parameters'])),
    ageOf(object, now),
  ],
};

const longestController = 250;
const scopes = ['Cluster', 'Namespace'];

function validate(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const path = fieldPath('spec', 'controller');
  const controller = asText(spec['controller']);
  const parameters = asObject(spec['parameters']);
  return [
    ...(controller.length > longestController ? [tooLongField(path, '', longestController)] : []),
    ...(controller === ''
      ? [requiredField(path)]
      : validateDomainPrefixedPath(controller).map(message => invalidField(path, controller, message))),
    ...(parameters ? parameterErrors(parameters, fieldPath('spec', 'parameters')) : []),
  ];
}

function parameterErrors(parameters: JsonObject, path: FieldPath): FieldError[] {
  return [...localReferenceErrors(parameters, path), ...scopeErrors(parameters, path)];
}

/** A namespace goes with settings that live in one, and with no others. */
function scopeErrors(parameters: JsonObject, path: FieldPath): FieldError[] {
  const scope = asText(parameters['scope']);
  const namespace = parameters['namespace'] ?? undefined;
  const at = path.child('namespace');
  switch (scope) {
    case '':
      return [requiredField(path.child('scope'))];
    case 'Cluster':
      return namespace === undefined ? [] : [forbiddenField(at, "`parameters.scope` is set to 'Cluster'")];
    case 'Namespace':
      if (namespace === undefined) return [requiredField(at, "`parameters.scope` is set to 'Namespace'")];
      return validateDnsLabel(asText(namespace)).map(message => invalidField(at, namespace, message));
    default:
      return [notSupportedField(path.child('scope'), scope, scopes)];
  }
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const controller = asText(specOf(object)['controller']);
  if (controller === asText(specOf(old)['controller'])) return [];
  return [invalidField(fieldPath('spec', 'controller'), controller, 'field is immutable')];
}

function parametersText(parameters: JsonObject | undefined): string {
  if (!parameters) return '<none>';
  const group = parameters['apiGroup'];
  const suffix = typeof group === 'string' ? `.${group}` : '';
  return `${asText(parameters['kind'])}${suffix}/${asText(parameters['name'])}`;
}

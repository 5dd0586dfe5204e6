import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateConfigMapKey,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type {
  ConfigMapKeySelector,
  Container,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  SecretKeySelector,
} from '../../../generated/core/v1.ts';
import { resourceReferenceErrors, variableFieldErrors } from '../volumes/downward-api-validation.ts';

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;
const variableForm = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const variableMessage =
  "must consist of letters, digits, '_', '-' or '.', and must not begin with a digit (for example 'MY_NAME')";

/** Validates env and envFrom of a container. */
export function environmentErrors(container: Container, path: FieldPath): FieldError[] {
  return [
    ...(container.env ?? []).flatMap((variable, index) =>
      variableErrors(variable, path.child('env').index(index)),
    ),
    ...(container.envFrom ?? []).flatMap((source, index) =>
      sourceErrors(source, path.child('envFrom'), index),
    ),
  ];
}

function variableErrors(variable: EnvVar, path: FieldPath): FieldError[] {
  const { name = '', value = '', valueFrom: from } = variable;
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredField(path.child('name')));
  else errors.push(...variableNameErrors(name, path.child('name')));
  if (from) errors.push(...valueFromErrors(from, value, path.child('valueFrom')));
  return errors;
}

function valueFromErrors(from: EnvVarSource, value: string, path: FieldPath): FieldError[] {
  const sources = valueSources.filter(source => from[source] !== undefined);
  if (sources.length === 0)
    return [
      invalidField(
        path,
        '',
        `must specify one of: ${valueSources.map(source => `\`${source}\``).join(', ')}`,
      ),
    ];
  const errors: FieldError[] = [];
  if (value !== '') errors.push(invalidField(path, '', 'may not be specified when `value` is not empty'));
  else if (sources.length > 1)
    errors.push(invalidField(path, '', 'may not have more than one field specified at a time'));
  for (const source of sources) errors.push(...selectorErrors(from, source, path.child(source)));
  return errors;
}

/** Each source must name its target: a field path, a resource, or a key. */
function selectorErrors(from: EnvVarSource, source: keyof EnvVarSource, path: FieldPath): FieldError[] {
  switch (source) {
    case 'fieldRef':
      return variableFieldErrors(from.fieldRef ?? {}, path);
    case 'resourceFieldRef':
      return resourceReferenceErrors(from.resourceFieldRef ?? {}, path);
    default:
      return keyErrors(from[source] ?? {}, path);
  }
}

function keyErrors(selector: ConfigMapKeySelector | SecretKeySelector, path: FieldPath): FieldError[] {
  const { name = '', key = '' } = selector;
  return [
    ...validateDnsSubdomain(name).map(message => invalidField(path.child('name'), name, message)),
    ...(key === ''
      ? [requiredField(path.child('key'))]
      : validateConfigMapKey(key).map(message => invalidField(path.child('key'), key, message))),
  ];
}

/** kube-apiserver reports a missing or ambiguous source at the path of the list. */
function sourceErrors(source: EnvFromSource, list: FieldPath, index: number): FieldError[] {
  const path = list.index(index);
  const { prefix = '' } = source;
  const errors = prefix === '' ? [] : variableNameErrors(prefix, path.child('prefix'));
  const refs = (['configMapRef', 'secretRef'] as const).filter(field => source[field] !== undefined);
  for (const ref of refs) {
    const name = source[ref]?.name ?? '';
    errors.push(
      ...(name === '' ? [requiredField(path.child(ref, 'name'))] : nameErrors(name, path.child(ref))),
    );
  }
  if (refs.length === 0)
    errors.push(invalidField(list, '', 'must specify one of: `configMapRef` or `secretRef`'));
  if (refs.length > 1)
    errors.push(invalidField(list, '', 'may not have more than one field specified at a time'));
  return errors;
}

/** The name may be a prefix that ends with a dash. */
function nameErrors(name: string, path: FieldPath): FieldError[] {
  return validateDnsSubdomain(name.replace(/-$/, 'a')).map(message =>
    invalidField(path.child('name'), name, message),
  );
}

function variableNameErrors(name: string, path: FieldPath): FieldError[] {
  const messages = variableForm.test(name) ? [] : [variableMessage];
  if (name === '.' || name === '..') messages.push(`must not be '${name}'`);
  else if (name.startsWith('..')) messages.push("must not start with '..'");
  return messages.map(message => invalidField(path, name, message));
}

import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateConfigMapKey,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { resourceReferenceErrors, variableFieldErrors } from './downward-api-validation.ts';

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'];
const variableForm = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const variableMessage =
  "must consist of letters, digits, '_', '-' or '.', and must not begin with a digit (for example 'MY_NAME')";

/** The findings about env and envFrom of a container. */
export function environmentErrors(container: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...asObjects(container['env']).flatMap((variable, index) =>
      variableErrors(variable, path.child('env').index(index)),
    ),
    ...asObjects(container['envFrom']).flatMap((source, index) =>
      sourceErrors(source, path.child('envFrom').index(index)),
    ),
  ];
}

function variableErrors(variable: JsonObject, path: FieldPath): FieldError[] {
  const name = asText(variable['name']);
  const from = asObject(variable['valueFrom']);
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredField(path.child('name')));
  else errors.push(...variableNameErrors(name, path.child('name')));
  if (from) errors.push(...valueFromErrors(from, asText(variable['value']), path.child('valueFrom')));
  return errors;
}

function valueFromErrors(from: JsonObject, value: string, path: FieldPath): FieldError[] {
  const sources = valueSources.filter(source => asObject(from[source]) !== undefined);
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
  if (sources.length > 1)
    errors.push(invalidField(path, '', 'may not have more than one field specified at a time'));
  for (const source of sources)
    errors.push(...selectorErrors(asObject(from[source]) ?? {}, path.child(source)));
  return errors;
}

/** What each source must name: a path, a resource, or an object's key. */
function selectorErrors(selector: JsonObject, path: FieldPath): FieldError[] {
  const source = String(path).slice(String(path).lastIndexOf('.') + 1);
  if (source === 'fieldRef') return variableFieldErrors(selector, path);
  if (source === 'resourceFieldRef') return resourceReferenceErrors(selector, path);
  const key = asText(selector['key']);
  return [
    ...requiredTexts(selector, ['name', 'key'], path),
    ...(key === ''
      ? []
      : validateConfigMapKey(key).map(message => invalidField(path.child('key'), key, message))),
  ];
}

function requiredTexts(object: JsonObject, fields: readonly string[], path: FieldPath): FieldError[] {
  return fields.filter(field => asText(object[field]) === '').map(field => requiredField(path.child(field)));
}

function sourceErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const prefix = asText(source['prefix']);
  const errors = prefix === '' ? [] : variableNameErrors(prefix, path.child('prefix'));
  const refs = ['configMapRef', 'secretRef'].filter(field => asObject(source[field]) !== undefined);
  if (refs.length === 0)
    errors.push(invalidField(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
  if (refs.length > 1)
    errors.push(invalidField(path, '', 'may not have more than one field specified at a time'));
  for (const ref of refs)
    if (asText(asObject(source[ref])?.['name']) === '') errors.push(requiredField(path.child(ref, 'name')));
  return errors;
}

function variableNameErrors(name: string, path: FieldPath): FieldError[] {
  const messages = variableForm.test(name) ? [] : [variableMessage];
  if (name === '.' || name === '..') messages.push(`must not be '${name}'`);
  else if (name.startsWith('..')) messages.push("must not start with '..'");
  return messages.map(message => invalidField(path, name, message));
}

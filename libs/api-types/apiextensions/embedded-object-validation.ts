import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  type ObjectMeta,
  requiredField,
  validateDns1035Label,
  validateObjectMeta,
} from '@binnacle/api-objects';
import { asObject, asText } from '../values/json-access.ts';

/** The findings about an object within an object: it says of what kind it is, and its metadata is that of an object. */
export function embeddedObjectErrors(value: JsonObject, path: FieldPath): FieldError[] {
  return [...apiVersionErrors(value, path), ...kindErrors(value, path), ...metadataErrors(value, path)];
}

function apiVersionErrors(value: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('apiVersion');
  const apiVersion = asText(value['apiVersion']);
  if (apiVersion === '') return [requiredField(at, 'must not be empty')];
  return apiVersion.split('/').length > 2
    ? [invalidField(at, apiVersion, 'must be a group and a version')]
    : [];
}

function kindErrors(value: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('kind');
  const kind = asText(value['kind']);
  if (kind === '') return [requiredField(at, 'must not be empty')];
  return validateDns1035Label(kind.toLowerCase()).map(message =>
    invalidField(at, kind, `case apart: ${message}`),
  );
}

function metadataErrors(value: JsonObject, path: FieldPath): FieldError[] {
  const metadata = asObject(value['metadata']);
  if (metadata === undefined) return [];
  // An object that is yet to be created may have no name, and its namespace is chosen when it is created.
  const rules = {
    namespaced: asText(metadata['namespace']) !== '',
    qualifiedFinalizers: false,
    generateName: false,
  };
  const named = { name: 'unnamed', ...metadata } as ObjectMeta; // Its types were checked when it was taken in.
  return validateObjectMeta(named, { ...rules, nameRule: () => [], path: path.child('metadata') });
}

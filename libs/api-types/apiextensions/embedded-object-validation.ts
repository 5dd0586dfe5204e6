import {
  copyJson,
  type FieldError,
  type FieldPath,
  invalidField,
  isJsonObject,
  type JsonObject,
  type ObjectMeta,
  requiredField,
  splitApiVersion,
  validateDns1035Label,
  validateObjectMeta,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import { asText } from '../values/json-access.ts';
import { checkEmbeddedMetadata } from './embedded-metadata.ts';

/** Validates an embedded object: kind and apiVersion are required, and its metadata must be valid. */
export function embeddedObjectErrors(value: JsonObject, path: FieldPath): FieldError[] {
  const { apiVersion, kind } = value;
  return [
    ...apiVersionErrors(asText(apiVersion), path.child('apiVersion')),
    ...kindErrors(asText(kind), path.child('kind')),
    ...metadataErrors(value, path),
  ];
}

function apiVersionErrors(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === '') return [requiredField(path, 'must not be empty')];
  return splitApiVersion(apiVersion).version.includes('/')
    ? [invalidField(path, apiVersion, 'must be a group and a version')]
    : [];
}

function kindErrors(kind: string, path: FieldPath): FieldError[] {
  if (kind === '') return [requiredField(path, 'must not be empty')];
  return validateDns1035Label(kind.toLowerCase()).map(message =>
    invalidField(path, kind, `case apart: ${message}`),
  );
}

function metadataErrors(object: JsonObject, path: FieldPath): FieldError[] {
  const { metadata: value = null } = object;
  // The value may have any type if it was stored before the schema declared the embedded object or the default.
  const checked: JsonObject = { metadata: copyJson(value) };
  const { mismatch } = checkEmbeddedMetadata(checked);
  if (mismatch !== undefined) {
    const { path: at, found, expected } = mismatch;
    const detail = `json: cannot unmarshal ${found} into field ${at} of type ${expected}`;
    return [invalidField(path.child('metadata'), value, detail)];
  }
  const { metadata } = checked;
  if (!isJsonObject(metadata)) return [];
  const { namespace } = metadata;
  // An embedded object may have no name, because it is not created yet, and its namespace is chosen at creation.
  const rules = {
    namespaced: asText(namespace) !== '',
    qualifiedFinalizers: false,
  };
  const { name } = metadata;
  const named = { ...metadata, name: asText(name) || 'unnamed' } as ObjectMeta; // Its types were checked above.
  return validateObjectMeta(named, {
    ...rules,
    nameRule: validatePathSegmentName,
    path: path.child('metadata'),
  });
}

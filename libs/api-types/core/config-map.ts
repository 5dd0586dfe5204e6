import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  tooLongField,
  validateConfigMapKey,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';

/** The largest sum of values that a ConfigMap or a Secret holds, in bytes. */
export const contentLimit = 1024 * 1024;

/** The rules of ConfigMap objects: key form, total size, immutability. */
export const configMapRules: KindRules = {
  validate,
  validateUpdate: (object, old) => immutableContentErrors(object, old, ['data', 'binaryData']),
  columns: [nameColumn, column('Data', 'The number of entries.'), ageColumn],
  cells: (object, now) => [
    nameOf(object),
    entryCount(object['data']) + entryCount(object['binaryData']),
    ageOf(object, now),
  ],
};

/** The findings about the keys of a map of contents. */
export function contentKeyErrors(content: unknown, path: FieldPath): FieldError[] {
  return Object.keys(asObject(content) ?? {}).flatMap(key =>
    validateConfigMapKey(key).map(message => invalidField(path.key(key), key, message)),
  );
}

/** The findings about a change of contents: none may change, and the mark not be taken back, once `immutable` is true. */
export function immutableContentErrors(
  object: ApiObject,
  old: ApiObject,
  contentFields: readonly string[],
): FieldError[] {
  if (old['immutable'] !== true) return [];
  const frozen = 'field is immutable when `immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [forbiddenField('immutable', frozen)]),
    ...contentFields
      .filter(field => !equalJson(asObject(object[field]) ?? {}, asObject(old[field]) ?? {}))
      .map(field => forbiddenField(field, frozen)),
  ];
}

/** The size of base64 text once decoded. */
export function decodedSize(base64: unknown): number {
  return Buffer.byteLength(asText(base64), 'base64');
}

/** The number of entries of a map. */
export function entryCount(map: unknown): number {
  return Object.keys(asObject(map) ?? {}).length;
}

function validate(object: ApiObject): FieldError[] {
  const data = asObject(object['data']) ?? {};
  const binaryData = asObject(object['binaryData']) ?? {};
  const errors = [
    ...contentKeyErrors(data, fieldPath('data')),
    ...contentKeyErrors(binaryData, fieldPath('binaryData')),
  ];
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binaryData, key))
      errors.push(invalidField(fieldPath('data').key(key), key, 'the key is also in binaryData'));
  }
  const size =
    Object.values(data).reduce((sum: number, value) => sum + Buffer.byteLength(asText(value)), 0) +
    Object.values(binaryData).reduce((sum: number, value) => sum + decodedSize(value), 0);
  // kube-apiserver reports this path for the whole object.
  if (size > contentLimit) errors.push(tooLongField('[]', '', contentLimit));
  return errors;
}

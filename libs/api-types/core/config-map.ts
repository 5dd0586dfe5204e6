import {
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  tooLongField,
  validateConfigMapKey,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ConfigMap } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** Maximum total size of the values of a ConfigMap or Secret, in bytes. */
export const contentLimit = 1024 * 1024;

/** The rules of ConfigMap objects: valid keys, total size, immutability. */
export const configMapRules: KindRules<ConfigMap> = {
  validate,
  validateUpdate: (object, old) => immutableContentErrors(object, old, ['data', 'binaryData']),
  columns: [nameColumn, column('Data', 'The number of entries.'), ageColumn],
  cells: (object, now) => [
    nameCell(object),
    entryCount(object.data) + entryCount(object.binaryData),
    ageCell(object, now),
  ],
};

type Contents = NonNullable<ConfigMap['data']>;

/** A ConfigMap or a Secret; only a ConfigMap has `binaryData`. */
type ContentHolder = Pick<ConfigMap, 'immutable' | 'data' | 'binaryData'>;

/** Validates the keys of a data map. */
export function contentKeyErrors(content: Contents, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in content)
    for (const message of validateConfigMapKey(key)) errors.push(invalidField(path.key(key), key, message));
  return errors;
}

/** Validates a change of an immutable object: with `immutable` true neither the contents nor the mark may change. */
export function immutableContentErrors(
  object: ContentHolder,
  old: ContentHolder,
  contentFields: readonly ('data' | 'binaryData')[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const frozen = 'field is immutable when `immutable` is set';
  return [
    ...(object.immutable === true ? [] : [forbiddenField('immutable', frozen)]),
    ...contentFields
      .filter(field => !equalJson(object[field] ?? {}, old[field] ?? {}))
      .map(field => forbiddenField(field, frozen)),
  ];
}

/** Returns the size of decoded base64 text in bytes. */
export function decodedSize(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** Returns the number of entries of a map. */
export function entryCount(map: Contents | undefined): number {
  return Object.keys(map ?? {}).length;
}

function validate({ data, binaryData }: ConfigMap): FieldError[] {
  const ofData = data === undefined ? [] : contentKeyErrors(data, fieldPath('data'));
  const errors =
    binaryData === undefined ? ofData : [...ofData, ...contentKeyErrors(binaryData, fieldPath('binaryData'))];
  let size = 0;
  for (const key in data) {
    size += Buffer.byteLength(data[key]!); // one of its keys
    if (binaryData !== undefined && Object.hasOwn(binaryData, key))
      errors.push(invalidField(fieldPath('data').key(key), key, 'the key is also in binaryData'));
  }
  for (const key in binaryData) size += decodedSize(binaryData[key]!); // one of its keys
  // kube-apiserver reports this path for the whole object.
  if (size > contentLimit) errors.push(tooLongField('[]', '', contentLimit));
  return errors;
}

import { annotations as names, understood } from '@binnacle/api-names';
import { type FieldError, fieldPath, invalidField, requiredField, tooLongField } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Secret } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import {
  contentKeyErrors,
  contentLimit,
  decodedSize,
  entryCount,
  immutableContentErrors,
} from './config-map.ts';

/** The rules of Secret objects: stringData, required keys of each type, total size, immutability. */
export const secretRules: KindRules<Secret> = {
  applyDefaults: mergeStringData,
  validate,
  validateUpdate: (object, old) => immutableContentErrors(object, old, ['data']),
  selectableFieldNames: ['type'],
  selectableFields: object => ({ type: object.type ?? '' }),
  columns: [
    nameColumn,
    column('Type', 'The type of the contents.'),
    column('Data', 'The number of entries.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameCell(object),
    object.type ?? '',
    entryCount(object.data),
    ageCell(object, now),
  ],
};

const data = fieldPath('data');

/** Moves stringData, which is write-only, into data. */
function mergeStringData(object: Secret): void {
  const texts = object.stringData;
  delete object.stringData;
  if (!texts || Object.keys(texts).length === 0) return;
  object.data ??= {};
  for (const [key, value] of Object.entries(texts)) object.data[key] = Buffer.from(value).toString('base64');
}

function validate(object: Secret): FieldError[] {
  const content = object.data ?? {};
  const size = Object.values(content).reduce((sum, value) => sum + decodedSize(value), 0);
  return [
    ...contentKeyErrors(content, data),
    ...(size > contentLimit ? [tooLongField(data, '', contentLimit)] : []),
    ...typeErrors(object, content),
  ];
}

/** The types with special rules, by their aliases. */
const sorts = new Map(
  Object.entries(understood.secretTypes).flatMap(([sort, types]) => types.map(type => [type, sort] as const)),
) as ReadonlyMap<string, keyof typeof understood.secretTypes>; // Its own keys.

/** Validates the rules of the Secret type. */
function typeErrors(object: Secret, content: Record<string, string>): FieldError[] {
  switch (sorts.get(object.type ?? '')) {
    case 'serviceAccountToken':
      return serviceAccountErrors(object);
    case 'dockerConfig':
      return jsonErrors(content, '.dockercfg');
    case 'dockerConfigJson':
      return jsonErrors(content, '.dockerconfigjson');
    case 'basicAuth':
      return 'username' in content || 'password' in content
        ? []
        : ['username', 'password'].map(key => requiredField(data.key(key)));
    case 'sshAuth':
      return (content['ssh-privatekey'] ?? '') === '' ? [requiredField(data.key('ssh-privatekey'))] : [];
    case 'tls':
      return missing(content, ['tls.crt', 'tls.key']);
    default:
      return [];
  }
}

function missing(content: Record<string, string>, keys: readonly string[]): FieldError[] {
  return keys.filter(key => !(key in content)).map(key => requiredField(data.key(key)));
}

function serviceAccountErrors(object: Secret): FieldError[] {
  const annotations = object.metadata.annotations ?? {};
  if (understood.annotations.serviceAccountName.some(key => (annotations[key] ?? '') !== '')) return [];
  return [requiredField(fieldPath('metadata', 'annotations').key(names.serviceAccountName))];
}

function jsonErrors(content: Record<string, string>, key: string): FieldError[] {
  if (!(key in content)) return missing(content, [key]);
  if (isJsonObject(Buffer.from(content[key] ?? '', 'base64').toString())) return [];
  // Neither the contents nor a parser message, which would quote them, may appear in the error.
  return [invalidField(data.key(key), '<secret contents redacted>', 'must be a JSON object')];
}

/** Whether a text is a JSON object, or null, which stands for an empty one. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

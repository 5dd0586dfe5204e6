import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { asList, asNumber, asText } from '../values/json-access.ts';

/** Numbers of partitions and units that one byte holds. */
const byteFields: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'partition',
  gcePersistentDisk: 'partition',
  iscsi: 'lun',
};

/**
 * The findings about a source of content that pods and persistent volumes have in common; `kind` is the field
 * that it stands in. What the source cannot do without is checked elsewhere.
 */
export function volumeSourceErrors(kind: string, source: JsonObject, path: FieldPath): FieldError[] {
  switch (kind) {
    case 'awsElasticBlockStore':
    case 'gcePersistentDisk':
    case 'iscsi':
      return byteErrors(source, byteFields[kind] ?? '', path);
    case 'fc':
      return fibreChannelErrors(source, path);
    case 'flocker':
      return flockerErrors(source, path);
    case 'hostPath':
    case 'local':
      return backstepErrors(asText(source['path']), path.child('path'));
    case 'nfs':
      return asText(source['path']) === '' || asText(source['path']).startsWith('/')
        ? []
        : [invalidField(path.child('path'), source['path'], 'must be an absolute path')];
    default:
      return [];
  }
}

/** The findings about a path that must not climb. */
export function backstepErrors(text: string, path: FieldPath): FieldError[] {
  return text.split('/').includes('..') ? [invalidField(path, text, "must not contain '..'")] : [];
}

/** The findings about a path that must stay below where it begins. */
export function descendingPathErrors(text: string, path: FieldPath): FieldError[] {
  return [
    ...(text.startsWith('/') ? [invalidField(path, text, 'must be a relative path')] : []),
    ...backstepErrors(text, path),
  ];
}

function byteErrors(source: JsonObject, field: string, path: FieldPath): FieldError[] {
  const number = asNumber(source[field]);
  return number < 0 || number > 255
    ? [invalidField(path.child(field), number, 'must be between 0 and 255, inclusive')]
    : [];
}

/** A volume is found by the names of its targets and a unit, or by its own names. */
function fibreChannelErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const hasTargets = asList(source['targetWWNs']).length > 0;
  const hasOwnNames = asList(source['wwids']).length > 0;
  const either = 'must specify either targetWWNs or wwids, but not both';
  if (!hasTargets && !hasOwnNames) return [requiredField(path.child('targetWWNs'), either)];
  if (hasTargets && hasOwnNames)
    return [invalidField(path.child('targetWWNs'), source['targetWWNs'], either)];
  if (!hasTargets) return [];
  return typeof source['lun'] === 'number'
    ? byteErrors(source, 'lun', path)
    : [requiredField(path.child('lun'), 'lun is required if targetWWNs is specified')];
}

function flockerErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const name = asText(source['datasetName']);
  const uuid = asText(source['datasetUUID']);
  if (name === '' && uuid === '')
    return [requiredField(path, 'one of datasetName and datasetUUID is required')];
  if (name !== '' && uuid !== '')
    return [
      invalidField(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    ];
  return name.includes('/') ? [invalidField(path.child('datasetName'), name, "must not contain '/'")] : [];
}

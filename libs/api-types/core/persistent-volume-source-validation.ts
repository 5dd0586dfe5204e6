import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { asList, asNumber, asObject, asText } from '../json-access.ts';
import { messageNamed } from '../messages.ts';
import { csiDriverNameErrors } from './csi-driver-name.ts';

let sources: readonly string[] | undefined;

/** The fields of a persistent volume that say where its content is; exactly one of them is set. */
export function persistentVolumeSources(): readonly string[] {
  sources ??= [...messageNamed('cluster.io.api.core.v1.PersistentVolumeSource').fields.keys()];
  return sources;
}

/** What a source cannot do without. */
const requiredFields: Readonly<Record<string, readonly string[]>> = {
  awsElasticBlockStore: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  azureFile: ['secretName', 'shareName'],
  cephfs: ['monitors'],
  cinder: ['volumeID'],
  csi: ['volumeHandle'],
  flexVolume: ['driver'],
  gcePersistentDisk: ['pdName'],
  glusterfs: ['endpoints', 'path'],
  hostPath: ['path'],
  iscsi: ['targetPortal', 'iqn'],
  local: ['path'],
  nfs: ['server', 'path'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  quobyte: ['registry', 'volume'],
  rbd: ['monitors', 'image'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  vsphereVolume: ['volumePath'],
};

/** Numbers of partitions and units that one byte holds. */
const byteFields: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'partition',
  gcePersistentDisk: 'partition',
  iscsi: 'lun',
};

const driverSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'nodeExpandSecretRef',
];

/** The findings about where the content of a volume is: one source, complete. */
export function persistentVolumeSourceErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const present = persistentVolumeSources().filter(source => asObject(spec[source]) !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a volume type')];
  return present.flatMap((source, index) =>
    index === 0
      ? sourceErrors(source, asObject(spec[source]) ?? {}, path.child(source))
      : [forbiddenField(path.child(source), 'may not specify more than 1 volume type')],
  );
}

function sourceErrors(kind: string, source: JsonObject, path: FieldPath): FieldError[] {
  const missing = (requiredFields[kind] ?? [])
    .filter(field => asText(source[field]) === '' && asList(source[field]).length === 0)
    .map(field => requiredField(path.child(field)));
  const byteField = byteFields[kind];
  const number = byteField === undefined ? 0 : asNumber(source[byteField]);
  const outOfRange =
    byteField !== undefined && (number < 0 || number > 255)
      ? [invalidField(path.child(byteField), number, 'must be between 0 and 255, inclusive')]
      : [];
  return [...missing, ...outOfRange, ...particularErrors(kind, source, path)];
}

function particularErrors(kind: string, source: JsonObject, path: FieldPath): FieldError[] {
  switch (kind) {
    case 'csi':
      return [
        ...csiDriverNameErrors(asText(source['driver']), path.child('driver')),
        ...driverSecrets.flatMap(field => secretReferenceErrors(asObject(source[field]), path.child(field))),
      ];
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

function secretReferenceErrors(reference: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!reference) return [];
  return ['name', 'namespace']
    .filter(field => asText(reference[field]) === '')
    .map(field => requiredField(path.child(field)));
}

/** A volume is found by the names of its targets and a unit, or by its own names. */
function fibreChannelErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const hasTargets = asList(source['targetWWNs']).length > 0;
  const hasOwnNames = asList(source['wwids']).length > 0;
  if (!hasTargets && !hasOwnNames)
    return [requiredField(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both')];
  if (hasTargets && hasOwnNames)
    return [
      invalidField(
        path.child('targetWWNs'),
        source['targetWWNs'],
        'must specify either targetWWNs or wwids, but not both',
      ),
    ];
  if (!hasTargets) return [];
  const { lun } = source;
  if (typeof lun !== 'number')
    return [requiredField(path.child('lun'), 'lun is required if targetWWNs is specified')];
  return lun < 0 || lun > 255
    ? [invalidField(path.child('lun'), lun, 'must be between 0 and 255, inclusive')]
    : [];
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

function backstepErrors(text: string, path: FieldPath): FieldError[] {
  return text.split('/').includes('..') ? [invalidField(path, text, "must not contain '..'")] : [];
}

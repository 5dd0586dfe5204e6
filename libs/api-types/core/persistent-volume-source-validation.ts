import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { messageNamed } from '../descriptors/messages.ts';
import type { PersistentVolumeSource } from '../generated/core/v1.ts';
import { asList, asObject, asText } from '../values/json-access.ts';
import { csiDriverNameErrors } from './csi-driver-name.ts';
import { volumeSourceErrors } from './volume-source-validation.ts';

let sources: readonly (keyof PersistentVolumeSource)[] | undefined;

/** The fields of a persistent volume that say where its content is; exactly one of them is set. */
export function persistentVolumeSources(): readonly (keyof PersistentVolumeSource)[] {
  // The type is generated from the message: its keys are the names of the fields.
  sources ??= [
    ...messageNamed('cluster.io.api.core.v1.PersistentVolumeSource').fields.keys(),
  ] as (keyof PersistentVolumeSource)[];
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
  return [
    ...missing,
    ...volumeSourceErrors(kind, source, path),
    ...(kind === 'csi' ? driverErrors(source, path) : []),
  ];
}

function driverErrors(source: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...csiDriverNameErrors(asText(source['driver']), path.child('driver')),
    ...driverSecrets.flatMap(field => secretReferenceErrors(asObject(source[field]), path.child(field))),
  ];
}

function secretReferenceErrors(reference: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!reference) return [];
  return ['name', 'namespace']
    .filter(field => asText(reference[field]) === '')
    .map(field => requiredField(path.child(field)));
}

import { type FieldError, type FieldPath, forbiddenField, requiredField } from '@binnacle/api-objects';
import { messageNamed } from '../../descriptors/messages.ts';
import type {
  CSIPersistentVolumeSource,
  PersistentVolumeSource,
  SecretReference,
} from '../../generated/core/v1.ts';
import { csiDriverNameErrors } from '../volume/csi-driver-name.ts';
import {
  climbErrors,
  type SourceRules,
  sharedSourceRules,
  volumeSourceErrors,
} from '../volume/volume-source-validation.ts';

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
const requiredFields: {
  readonly [Kind in keyof PersistentVolumeSource]?: readonly (keyof NonNullable<
    PersistentVolumeSource[Kind]
  >)[];
} = {
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
] as const satisfies readonly (keyof CSIPersistentVolumeSource)[];

const rules: SourceRules<PersistentVolumeSource> = {
  ...sharedSourceRules,
  csi: driverErrors,
  local: climbErrors,
};

/** The findings about where the content of a volume is: one source, complete. */
export function persistentVolumeSourceErrors(spec: PersistentVolumeSource, path: FieldPath): FieldError[] {
  const present = persistentVolumeSources().filter(source => spec[source] !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a volume type')];
  return present.flatMap((kind, index) =>
    index === 0
      ? [...missingErrors(spec, kind, path.child(kind)), ...volumeSourceErrors(rules, spec, { kind, path })]
      : [forbiddenField(path.child(kind), 'may not specify more than 1 volume type')],
  );
}

function missingErrors(
  spec: PersistentVolumeSource,
  kind: keyof PersistentVolumeSource,
  path: FieldPath,
): FieldError[] {
  const source: { readonly [field: string]: unknown } = spec[kind] ?? {};
  const required: readonly string[] = requiredFields[kind] ?? [];
  return required.filter(field => isEmpty(source[field])).map(field => requiredField(path.child(field)));
}

function isEmpty(value: unknown): boolean {
  return (value ?? '') === '' || (Array.isArray(value) && value.length === 0);
}

function driverErrors(source: CSIPersistentVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...csiDriverNameErrors(source.driver ?? '', path.child('driver')),
    ...driverSecrets.flatMap(field => secretReferenceErrors(source[field], path.child(field))),
  ];
}

function secretReferenceErrors(reference: SecretReference | undefined, path: FieldPath): FieldError[] {
  if (!reference) return [];
  return (['name', 'namespace'] as const)
    .filter(field => (reference[field] ?? '') === '')
    .map(field => requiredField(path.child(field)));
}

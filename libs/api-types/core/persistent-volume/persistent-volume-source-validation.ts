import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type {
  AzureFilePersistentVolumeSource,
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  PersistentVolumeSource,
  SecretReference,
} from '../../generated/core/v1.ts';
import { csiDriverNameErrors } from '../volume/csi-driver-name.ts';
import { targetErrors } from '../volume/iscsi-validation.ts';
import { storageOsNameErrors } from '../volume/storage-os-validation.ts';
import {
  climbErrors,
  exclusiveSourceErrors,
  type SourceRules,
  sharedSourceRules,
} from '../volume/volume-source-validation.ts';

/** In the order in which kube-apiserver validates them: of several sources the first counts. */
const sources: Readonly<Record<keyof PersistentVolumeSource, true>> = {
  hostPath: true,
  gcePersistentDisk: true,
  awsElasticBlockStore: true,
  glusterfs: true,
  flocker: true,
  nfs: true,
  rbd: true,
  quobyte: true,
  cephfs: true,
  iscsi: true,
  cinder: true,
  fc: true,
  flexVolume: true,
  azureFile: true,
  vsphereVolume: true,
  photonPersistentDisk: true,
  portworxVolume: true,
  azureDisk: true,
  scaleIO: true,
  local: true,
  storageos: true,
  csi: true,
};

/** The source fields of a persistent volume, of which exactly one is set. */
export const persistentVolumeSources = Object.keys(sources) as readonly (keyof PersistentVolumeSource)[]; // its keys, by the type

/** Required fields of each source. */
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
  'nodeExpandSecretRef',
] as const satisfies readonly (keyof CSIPersistentVolumeSource)[];

const rules: SourceRules<PersistentVolumeSource> = {
  ...sharedSourceRules,
  azureFile: fileShareErrors,
  cinder: (source, path) => secretNameErrors(source.secretRef, path.child('secretRef')),
  csi: driverErrors,
  glusterfs: endpointsErrors,
  iscsi: (source, path) => [
    ...targetErrors(source, path),
    ...(source.secretRef && (source.secretRef.name ?? '') === ''
      ? [requiredField(path.child('secretRef', 'name'))]
      : []),
  ],
  local: climbErrors,
  storageos: (source, path) => [
    ...storageOsNameErrors(source, path),
    ...secretNameErrors(source.secretRef, path.child('secretRef')),
  ],
};

/** Validates the source of a volume: exactly one, with its required fields. */
export function persistentVolumeSourceErrors(spec: PersistentVolumeSource, path: FieldPath): FieldError[] {
  const first = persistentVolumeSources.find(source => spec[source] !== undefined);
  return [
    ...(first === undefined ? [] : missingErrors(spec, first, path.child(first))),
    ...exclusiveSourceErrors(spec, { order: persistentVolumeSources, rules, path }),
  ];
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
  const { name = '', namespace = '' } = reference;
  return [
    ...secretNameErrors(reference, path),
    ...(name === ''
      ? []
      : validateDnsSubdomain(name).map(message => invalidField(path.child('name'), name, message))),
    ...(namespace === ''
      ? []
      : validateDnsLabel(namespace).map(message =>
          invalidField(path.child('namespace'), namespace, message),
        )),
  ];
}

/** A secret reference needs name and namespace. */
function secretNameErrors(
  reference: { readonly name?: string; readonly namespace?: string } | undefined,
  path: FieldPath,
): FieldError[] {
  if (!reference) return [];
  return (['name', 'namespace'] as const)
    .filter(field => (reference[field] ?? '') === '')
    .map(field => requiredField(path.child(field)));
}

function fileShareErrors(source: AzureFilePersistentVolumeSource, path: FieldPath): FieldError[] {
  return source.secretNamespace === '' ? [requiredField(path.child('secretNamespace'))] : [];
}

function endpointsErrors(source: GlusterfsPersistentVolumeSource, path: FieldPath): FieldError[] {
  const { endpointsNamespace: namespace } = source;
  if (namespace === undefined) return [];
  return validateDnsLabel(namespace).map(message =>
    invalidField(path.child('endpointsNamespace'), namespace, message),
  );
}

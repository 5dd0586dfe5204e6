import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type ObjectMeta,
  requiredField,
  validateAnnotations,
  validateDnsSubdomain,
  validateLabels,
} from '@binnacle/api-objects';
import type {
  ConfigMapVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  GitRepoVolumeSource,
  LocalObjectReference,
  SecretVolumeSource,
  StorageOSVolumeSource,
  VolumeSource,
} from '../../../generated/core/v1.ts';
import { persistentVolumeClaimSpecErrors } from '../../persistent-volume/persistent-volume-claim-validation.ts';
import { parseAmount } from '../../resource-amounts/standard-resources.ts';
import { csiDriverNameErrors } from '../../volume/csi-driver-name.ts';
import { storageOsNameErrors } from '../../volume/storage-os-validation.ts';
import { fileModeErrors } from '../../volume/volume-file-validation.ts';
import {
  descendingPathErrors,
  type SourceRules,
  sharedSourceRules,
} from '../../volume/volume-source-validation.ts';
import { downwardFileErrors } from './downward-api-validation.ts';
import { keyFilesErrors, projectedErrors } from './projected-volume-validation.ts';

/** The validation rules of pod volume sources. */
export const podVolumeSourceRules: SourceRules<VolumeSource> = {
  ...sharedSourceRules,
  cinder: secretErrors,
  configMap: configMapErrors,
  csi: driverErrors,
  downwardAPI: downwardErrors,
  emptyDir: emptyDirErrors,
  ephemeral: ephemeralErrors,
  gitRepo: repositoryErrors,
  projected: projectedErrors,
  secret: keyedContentErrors,
  storageos: storageOsErrors,
};

function configMapErrors(source: ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...((source.name ?? '') === '' ? [requiredField(path.child('name'))] : []),
    ...keyedContentErrors(source, path),
  ];
}

/** Validates a Secret source, and a ConfigMap source that has a name. */
function keyedContentErrors(
  source: SecretVolumeSource | ConfigMapVolumeSource,
  path: FieldPath,
): FieldError[] {
  return [
    ...fileModeErrors(source.defaultMode, path.child('defaultMode')),
    ...keyFilesErrors(source.items ?? [], path),
  ];
}

function downwardErrors(source: DownwardAPIVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...fileModeErrors(source.defaultMode, path.child('defaultMode')),
    // kube-apiserver reports a file at the path of its source, without an index.
    ...(source.items ?? []).flatMap(item => downwardFileErrors(item, path)),
  ];
}

function emptyDirErrors(source: EmptyDirVolumeSource, path: FieldPath): FieldError[] {
  return (parseAmount(source.sizeLimit)?.nanos ?? 0n) < 0n
    ? [forbiddenField(path.child('sizeLimit'), 'must be greater than or equal to 0')]
    : [];
}

function repositoryErrors(source: GitRepoVolumeSource, path: FieldPath): FieldError[] {
  return descendingPathErrors(source.directory ?? '', path.child('directory'));
}

function driverErrors(source: CSIVolumeSource, path: FieldPath): FieldError[] {
  const { driver = '', nodePublishSecretRef: secret } = source;
  return [...csiDriverNameErrors(driver, path.child('driver')), ...publishSecretErrors(secret, path)];
}

/** kube-apiserver reports an invalid name of the secret at the name of the source. */
function publishSecretErrors(secret: LocalObjectReference | undefined, path: FieldPath): FieldError[] {
  if (!secret) return [];
  const { name = '' } = secret;
  if (name === '') return [requiredField(path.child('nodePublishSecretRef', 'name'))];
  return validateDnsSubdomain(name).map(message => invalidField(path.child('name'), name, message));
}

function ephemeralErrors(source: EphemeralVolumeSource, path: FieldPath): FieldError[] {
  const at = path.child('volumeClaimTemplate');
  const template = source.volumeClaimTemplate;
  if (!template) return [requiredField(at)];
  return [
    ...templateMetadataErrors(template.metadata ?? {}, at.child('metadata')),
    ...persistentVolumeClaimSpecErrors(template.spec ?? {}, at.child('spec')),
  ];
}

/** Name and namespace of the claim follow from pod and volume: its metadata may only contain labels and annotations. */
function templateMetadataErrors(metadata: ObjectMeta, path: FieldPath): FieldError[] {
  const { labels = {}, annotations = {}, ...others } = metadata;
  return [
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validateLabels(labels, path.child('labels')),
    ...Object.entries(others)
      .filter(([, value]) => value !== null)
      .map(([field]) => forbiddenField(path.child(field), 'cannot be set')),
  ];
}

/** Validates the name of an optional secret reference. */
function secretErrors(source: { readonly secretRef?: LocalObjectReference }, path: FieldPath): FieldError[] {
  return source.secretRef && (source.secretRef.name ?? '') === ''
    ? [requiredField(path.child('secretRef', 'name'))]
    : [];
}

function storageOsErrors(source: StorageOSVolumeSource, path: FieldPath): FieldError[] {
  return [...storageOsNameErrors(source, path), ...secretErrors(source, path)];
}

import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import type {
  AzureDiskVolumeSource,
  ConfigMapVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  GitRepoVolumeSource,
  SecretVolumeSource,
  VolumeSource,
} from '../../../generated/core/v1.ts';
import { persistentVolumeClaimSpecErrors } from '../../persistent-volume/persistent-volume-claim-validation.ts';
import { amountOf } from '../../resource-amounts/standard-resources.ts';
import { csiDriverNameErrors } from '../../volume/csi-driver-name.ts';
import { fileModeErrors } from '../../volume/volume-file-validation.ts';
import {
  descendingPathErrors,
  type SourceRules,
  sharedSourceRules,
} from '../../volume/volume-source-validation.ts';
import { downwardFileErrors } from './downward-api-validation.ts';
import { keyFilesErrors, projectedErrors } from './projected-volume-validation.ts';

/** The rules of the sources of a pod's volumes. */
export const podVolumeSourceRules: SourceRules<VolumeSource> = {
  ...sharedSourceRules,
  azureDisk: azureDiskErrors,
  configMap: configMapErrors,
  csi: driverErrors,
  downwardAPI: downwardErrors,
  emptyDir: emptyDirErrors,
  ephemeral: ephemeralErrors,
  gitRepo: repositoryErrors,
  projected: projectedErrors,
  secret: keyedContentErrors,
};

function configMapErrors(source: ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...((source.name ?? '') === '' ? [requiredField(path.child('name'))] : []),
    ...keyedContentErrors(source, path),
  ];
}

/** Of a secret, and of a config map once it is named. */
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
    ...(source.items ?? []).flatMap((item, index) =>
      downwardFileErrors(item, path.child('items').index(index)),
    ),
  ];
}

function emptyDirErrors(source: EmptyDirVolumeSource, path: FieldPath): FieldError[] {
  return (amountOf(source.sizeLimit)?.nanos ?? 0n) < 0n
    ? [forbiddenField(path.child('sizeLimit'), 'must be greater than or equal to 0')]
    : [];
}

function repositoryErrors(source: GitRepoVolumeSource, path: FieldPath): FieldError[] {
  return descendingPathErrors(source.directory ?? '', path.child('directory'));
}

function driverErrors(source: CSIVolumeSource, path: FieldPath): FieldError[] {
  const { driver = '', nodePublishSecretRef: secret } = source;
  if (driver === '') return [];
  return [
    ...csiDriverNameErrors(driver, path.child('driver')),
    ...(secret && (secret.name ?? '') === ''
      ? [requiredField(path.child('nodePublishSecretRef', 'name'))]
      : []),
  ];
}

function ephemeralErrors(source: EphemeralVolumeSource, path: FieldPath): FieldError[] {
  const at = path.child('volumeClaimTemplate');
  const template = source.volumeClaimTemplate;
  if (!template) return [requiredField(at)];
  return persistentVolumeClaimSpecErrors(template.spec ?? {}, at.child('spec'));
}

/** A disk that is managed is named by its path in the resource tree, another one by its address. */
function azureDiskErrors(source: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  const uri = source.diskURI ?? '';
  const isManaged = source.kind === 'Managed';
  const begin = isManaged ? '/subscriptions/' : 'https://';
  return uri === '' || uri.startsWith(begin)
    ? []
    : [invalidField(path.child('diskURI'), uri, `must begin with ${begin} for this kind of disk`)];
}

import { posix } from 'node:path';
import { understood } from '@binnacle/api-names';
import {
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type { PersistentVolume, PersistentVolumeSpec } from '../../generated/core/v1.ts';
import { parseAmount } from '../resource-amounts/standard-resources.ts';
import { nodeSelectorErrors } from '../selectors/node-selector-validation.ts';
import { interfaceMessage, longestInterface } from '../volume/iscsi-validation.ts';
import { accessModeErrors } from './access-mode-validation.ts';
import {
  persistentVolumeSourceErrors,
  persistentVolumeSources,
} from './persistent-volume-source-validation.ts';

const spec$ = fieldPath('spec');

/** Validates a persistent volume; closed sets of values are validated elsewhere. */
export function persistentVolumeErrors(object: PersistentVolume): FieldError[] {
  const spec = object.spec ?? {};
  const className = spec.storageClassName ?? '';
  const affinity = spec.nodeAffinity?.required;
  return [
    ...accessModeErrors(spec.accessModes ?? [], spec$.child('accessModes')),
    ...capacityErrors(spec),
    ...nodeAffinityErrors(spec),
    ...persistentVolumeSourceErrors(spec, spec$),
    ...interfaceErrors(object),
    ...(spec.local && !affinity
      ? [requiredField(spec$.child('nodeAffinity'), 'Local volume requires node affinity')]
      : []),
    ...recyclingErrors(spec),
    ...(className === ''
      ? []
      : validateDnsSubdomain(className).map(message =>
          invalidField(spec$.child('storageClassName'), className, message),
        )),
    ...mountOptionErrors(object),
  ];
}

/** Volume sources that support mount options. */
const mountedWithOptions = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'gcePersistentDisk',
  'glusterfs',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'quobyte',
  'rbd',
  'vsphereVolume',
] as const satisfies readonly (keyof PersistentVolumeSpec)[];

/** Refuses mount options in the annotation that preceded the field; the field itself is not validated. */
function mountOptionErrors({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  if (mountedWithOptions.some(source => spec[source] !== undefined)) return [];
  return understood.annotations.mountOptions
    .filter(key => metadata.annotations?.[key] !== undefined)
    .map(key =>
      forbiddenField(
        fieldPath('metadata', 'annotations').child(key),
        'may not specify mount options for this volume type',
      ),
    );
}

function interfaceErrors({ metadata: { name = '' }, spec = {} }: PersistentVolume): FieldError[] {
  const { initiatorName, targetPortal = '' } = spec.iscsi ?? {};
  if (initiatorName === undefined || `${name}:${targetPortal}`.length <= longestInterface) return [];
  return [invalidField(spec$.child('iscsi', 'targetportal'), targetPortal, interfaceMessage)];
}

/** Validates the inline volume of an attachment: it must have a CSI source, and must not be bound. */
export function inlineVolumeErrors(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const inline = 'may not be specified in the context of inline volumes';
  const policy = spec.persistentVolumeReclaimPolicy ?? '';
  return [
    ...(['claimRef', 'capacity', 'nodeAffinity', 'storageClassName'] as const)
      .filter(field => spec[field] !== undefined && spec[field] !== '')
      .map(field => forbiddenField(path.child(field), inline)),
    ...(spec.csi
      ? []
      : [requiredField(path.child('csi'), 'has to be specified in the context of inline volumes')]),
    ...(policy === '' || policy === 'Retain'
      ? []
      : [
          forbiddenField(
            path.child('persistentVolumeReclaimPolicy'),
            "may only be 'Retain' for inline volumes",
          ),
        ]),
    ...(spec.volumeMode === 'Block'
      ? [forbiddenField(path.child('volumeMode'), "may only be 'Filesystem' for inline volumes")]
      : []),
    ...accessModeErrors(spec.accessModes ?? [], path.child('accessModes')),
    ...persistentVolumeSourceErrors(spec, path),
  ];
}

/** Validates an update of a volume: source, volume mode and node affinity are immutable. */
export function persistentVolumeUpdateErrors(
  object: PersistentVolume,
  old: PersistentVolume,
  subresource: string,
): FieldError[] {
  if (subresource !== '') return [];
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  const changed = (field: keyof PersistentVolumeSpec) =>
    !equalJson(spec[field] ?? null, before[field] ?? null);
  const errors: FieldError[] = [];
  // kube-apiserver omits the spec from two of these paths.
  if (persistentVolumeSources.some(changed) && !onlyAddsExpansionSecret(spec, before))
    errors.push(
      forbiddenField(
        spec$.child('persistentvolumesource'),
        'spec.persistentvolumesource is immutable after creation',
      ),
    );
  if (changed('volumeMode'))
    errors.push(invalidField('volumeMode', spec.volumeMode ?? null, 'field is immutable'));
  if (before.nodeAffinity !== undefined && changed('nodeAffinity'))
    errors.push(invalidField('nodeAffinity', spec.nodeAffinity ?? null, 'field is immutable'));
  return errors;
}

/** A secret for expansion may be added to an existing volume. */
function onlyAddsExpansionSecret(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): boolean {
  const [now, then] = [spec.csi, before.csi];
  if (!now || !then || then.controllerExpandSecretRef !== undefined) return false;
  return equalJson({ ...now, controllerExpandSecretRef: null }, { ...then, controllerExpandSecretRef: null });
}

function capacityErrors(spec: PersistentVolumeSpec): FieldError[] {
  const path = spec$.child('capacity');
  const capacity = spec.capacity ?? {};
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [requiredField(path)] : []),
    ...(names.length === 1 && names[0] === 'storage' ? [] : [notSupportedField(path, capacity, ['storage'])]),
    ...names.flatMap(name => {
      const amount = parseAmount(capacity[name]);
      return amount && amount.nanos <= 0n
        ? [invalidField(path.key(name), capacity[name], 'must be greater than zero')]
        : [];
    }),
  ];
}

function nodeAffinityErrors(spec: PersistentVolumeSpec): FieldError[] {
  const affinity = spec.nodeAffinity;
  if (!affinity) return [];
  const path = spec$.child('nodeAffinity', 'required');
  const required = affinity.required;
  return required
    ? nodeSelectorErrors(required, path)
    : [requiredField(path, 'must specify required node constraints')];
}

/** The root directory of a node must not be recycled, which would delete its contents. */
function recyclingErrors(spec: PersistentVolumeSpec): FieldError[] {
  const path = spec.hostPath?.path ?? '';
  if (path === '' || posix.resolve('/', path) !== '/' || spec.persistentVolumeReclaimPolicy !== 'Recycle')
    return [];
  return [
    forbiddenField(
      spec$.child('persistentVolumeReclaimPolicy'),
      "may not be 'Recycle' for a hostPath mount of '/'",
    ),
  ];
}

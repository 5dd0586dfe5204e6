import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { Container, PodSpec, Volume, VolumeDevice, VolumeMount } from '../../../generated/core/v1.ts';
import { isRepeated } from '../../../values/repeated-values.ts';
import { backstepErrors, descendingPathErrors } from '../../volume/volume-source-validation.ts';

/** The volumes of a pod. */
export interface PodVolumes {
  readonly names: ReadonlySet<string>;
  /** Volumes of claims, which can be block devices or file systems. */
  readonly claims: ReadonlySet<string>;
}

/** Returns the volumes of a pod's spec. */
export function podVolumesFromSpec(spec: PodSpec): PodVolumes {
  const volumes = spec.volumes ?? [];
  const ofClaims = volumes.filter(volume => volume.persistentVolumeClaim ?? volume.ephemeral);
  const listNames = (list: readonly Volume[]) => list.map(volume => volume.name ?? '');
  return {
    names: new Set(listNames(volumes)),
    claims: new Set(listNames(ofClaims)),
  };
}

/** Validates the mounts and devices of a container: existing volumes, unique paths. */
export function volumeUseErrors(container: Container, volumes: PodVolumes, path: FieldPath): FieldError[] {
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container;
  const mountPaths = mounts.map(mount => mount.mountPath ?? '');
  const devicePaths = devices.map(device => device.devicePath ?? '');
  const deviceNames = devices.map(device => device.name ?? '');
  const placesOfMounts = new Set(mountPaths);
  const placesOfDevices = new Set(devicePaths);
  const namesOfMounts = new Set(mounts.map(mount => mount.name ?? ''));
  const namesOfDevices = new Set(deviceNames);
  return [
    ...mounts.flatMap((mount, index) => {
      const at = path.child('volumeMounts').index(index);
      const errors = mountErrors(mount, volumes, at);
      const place = mountPaths[index] ?? '';
      if (isRepeated(mountPaths, index))
        errors.push(invalidField(at.child('mountPath'), place, 'must be unique'));
      if (place !== '' && placesOfDevices.has(place))
        errors.push(invalidField(at.child('mountPath'), place, 'must not already exist in volumeDevices'));
      const name = mount.name ?? '';
      if (namesOfDevices.has(name))
        errors.push(invalidField(at.child('name'), name, 'must not already exist in volumeDevices'));
      return [
        ...errors,
        ...subPathErrors(mount, path.child('volumeMounts'), at),
        ...propagationErrors(mount, container, path.child('volumeMounts', 'mountPropagation')),
      ];
    }),
    ...devices.flatMap((device, index) => {
      const at = path.child('volumeDevices').index(index);
      const errors = deviceErrors(device, volumes, at);
      const name = deviceNames[index] ?? '';
      const place = devicePaths[index] ?? '';
      if (isRepeated(deviceNames, index)) errors.push(invalidField(at.child('name'), name, 'must be unique'));
      if (isRepeated(devicePaths, index))
        errors.push(invalidField(at.child('devicePath'), place, 'must be unique'));
      if (namesOfMounts.has(name))
        errors.push(invalidField(at.child('name'), name, 'must not already exist in volumeMounts'));
      if (place !== '' && placesOfMounts.has(place))
        errors.push(invalidField(at.child('devicePath'), place, 'must not already exist in volumeMounts'));
      return errors;
    }),
  ];
}

function mountErrors(mount: VolumeMount, volumes: PodVolumes, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const name = mount.name ?? '';
  if (name === '') errors.push(requiredField(path.child('name')));
  if (!volumes.names.has(name)) errors.push(notFoundField(path.child('name'), name));
  if ((mount.mountPath ?? '') === '') errors.push(requiredField(path.child('mountPath')));
  return errors;
}

/**
 * Validates the subpath of a mount: relative, and in only one of both fields. kube-apiserver reports its errors at the path of
 * the list, without an index.
 */
function subPathErrors(
  { subPath = '', subPathExpr = '' }: VolumeMount,
  list: FieldPath,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (subPath !== '' && subPathExpr !== '')
    errors.push(
      invalidField(path.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
    );
  return [
    ...errors,
    ...descendingPathErrors(subPath, list.child('subPath')),
    ...descendingPathErrors(subPathExpr, list.child('subPathExpr')),
  ];
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** Bidirectional mount propagation requires a privileged container. */
function propagationErrors(mount: VolumeMount, container: Container, path: FieldPath): FieldError[] {
  const { mountPropagation: mode } = mount;
  if (mode === undefined) return [];
  if (!propagations.includes(mode)) return [notSupportedField(path, mode, propagations)];
  if (mode !== 'Bidirectional' || container.securityContext?.privileged === true) return [];
  return [forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers')];
}

function deviceErrors(device: VolumeDevice, volumes: PodVolumes, path: FieldPath): FieldError[] {
  const name = device.name ?? '';
  const errors = backstepErrors(device.devicePath ?? '', path.child('devicePath'));
  if (name === '') return errors;
  if (!volumes.names.has(name)) errors.push(notFoundField(path.child('name'), name));
  else if (!volumes.claims.has(name))
    errors.push(
      invalidField(
        path.child('name'),
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      ),
    );
  return errors;
}

import type { Container, PodSpec } from '@binnacle/api-types/core/v1';
import { listEveryContainer } from '../pods/containers.ts';

/** Lists the secrets for pulling a pod's images. */
export function pullSecrets(spec: PodSpec): string[] {
  return (spec.imagePullSecrets ?? []).map(({ name }) => name ?? '');
}

/** Lists the secrets that the environment of containers uses. */
export function containerSecrets(spec: PodSpec): string[] {
  return listEveryContainer(spec).flatMap(environmentSecrets);
}

/** Lists the secrets that the environment of one container uses. */
export function environmentSecrets(container: Container): string[] {
  const single = (container.env ?? []).map(variable => variable.valueFrom?.secretKeyRef);
  const whole = (container.envFrom ?? []).map(source => source.secretRef);
  return [...single, ...whole].flatMap(namesIn);
}

const kindsWithReference = [
  'cephfs',
  'cinder',
  'flexVolume',
  'rbd',
  'scaleIO',
  'iscsi',
  'storageos',
] as const;

/** Lists the secrets that volumes of any type refer to. */
export function volumeSecrets(spec: PodSpec): string[] {
  return (spec.volumes ?? []).flatMap(volume => [
    ...secretNamesIn(volume.azureFile),
    ...secretNamesIn(volume.secret),
    ...kindsWithReference.flatMap(kind => namesIn(volume[kind]?.secretRef)),
    ...namesIn(volume.csi?.nodePublishSecretRef),
    ...(volume.projected?.sources ?? []).flatMap(source => namesIn(source.secret)),
  ]);
}

/** Lists the secrets of secret volumes. */
export function mountedSecrets(spec: PodSpec): string[] {
  return (spec.volumes ?? []).flatMap(volume => secretNamesIn(volume.secret));
}

function namesIn(reference: { readonly name?: string } | undefined): string[] {
  return reference === undefined ? [] : [reference.name ?? ''];
}

function secretNamesIn(source: { readonly secretName?: string } | undefined): string[] {
  return source === undefined ? [] : [source.secretName ?? ''];
}

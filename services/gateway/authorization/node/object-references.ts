import { understood } from '@binnacle/api-names';
import type {
  Container,
  PersistentVolume,
  PersistentVolumeSpec,
  Pod,
  PodSpec,
  Volume,
} from '@binnacle/api-types/core/v1';

/** The types of objects that a node can reach through its pods. */
export type ReferredType =
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'serviceaccounts'
  | 'volumeattachments';

/** The references of a pod, as keys of `referenceKey`. */
export interface PodReferences {
  /** The node that it is bound to; "" for none. */
  readonly node: string;
  /** Secrets, config maps and the service account. */
  readonly things: readonly string[];
  readonly claims: readonly string[];
}

/** The references of a persistent volume, as keys of `referenceKey`. */
export interface VolumeReferences {
  /** The claim that it is bound to; undefined for none. */
  readonly claim: string | undefined;
  /** Secrets that node agents need to mount it. */
  readonly secrets: readonly string[];
}

const mirrorAnnotations = understood.annotations.configMirror;

/** The name under which the graph knows an object. */
export function referenceKey(type: ReferredType, namespace: string, name: string): string {
  return `${type}\n${namespace}\n${name}`;
}

/** The references of a pod. Mirror pods, which node agents create, refer to nothing: an agent must gain no rights by one. */
export function podReferences({ metadata, spec = {} }: Pod): PodReferences {
  const { namespace = '', name: podName = '', annotations = {} } = metadata;
  const node = spec.nodeName ?? '';
  if (node === '' || mirrorAnnotations.some(key => key in annotations))
    return { node, things: [], claims: [] };
  const keys = (type: ReferredType, names: readonly (string | undefined)[]) =>
    distinct(names).map(name => referenceKey(type, namespace, name));
  const volumes = spec.volumes ?? [];
  const containers = allContainers(spec);
  return {
    node,
    things: [
      ...keys('serviceaccounts', [spec.serviceAccountName]),
      ...keys('secrets', [
        ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
        ...containers.flatMap(secretsOfContainer),
        ...volumes.flatMap(secretsOfVolume),
      ]),
      ...keys('configmaps', [
        ...containers.flatMap(configMapsOfContainer),
        ...volumes.flatMap(configMapsOfVolume),
      ]),
    ],
    claims: keys(
      'persistentvolumeclaims',
      volumes.map(volume => claimOfVolume(volume, podName)),
    ),
  };
}

/** The references of a persistent volume. Secrets of controllers, which attach and expand it, are not for node agents. */
export function volumeReferences({ spec = {} }: PersistentVolume): VolumeReferences {
  const { claimRef } = spec;
  if (!claimRef?.name) return { claim: undefined, secrets: [] };
  const claimNamespace = claimRef.namespace ?? '';
  const secrets = secretsOfPersistentVolume(spec).flatMap(({ name, namespace, inClaimNamespace }) => {
    const where = namespace || (inClaimNamespace ? claimNamespace : '');
    return name ? [referenceKey('secrets', where, name)] : [];
  });
  return {
    claim: referenceKey('persistentvolumeclaims', claimNamespace, claimRef.name),
    secrets: [...new Set(secrets)],
  };
}

function allContainers(spec: PodSpec): Container[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    // The same agent reads containers that were added to the running pod.
    ...(spec.ephemeralContainers ?? []),
  ];
}

function secretsOfContainer({ envFrom = [], env = [] }: Container): (string | undefined)[] {
  return [
    ...envFrom.map(({ secretRef }) => secretRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
  ];
}

function configMapsOfContainer({ envFrom = [], env = [] }: Container): (string | undefined)[] {
  return [
    ...envFrom.map(({ configMapRef }) => configMapRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
  ];
}

function secretsOfVolume(volume: Volume): (string | undefined)[] {
  return [
    volume.secret?.secretName,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    volume.rbd?.secretRef?.name,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

function configMapsOfVolume({ configMap, projected }: Volume): (string | undefined)[] {
  return [configMap?.name, ...(projected?.sources ?? []).map(source => source.configMap?.name)];
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function claimOfVolume(volume: Volume, podName: string): string | undefined {
  const { persistentVolumeClaim, ephemeral, name = '' } = volume;
  return persistentVolumeClaim?.claimName ?? (ephemeral && `${podName}-${name}`);
}

/** A secret by its name; where no namespace is given, it is in that of the claim or in none. */
interface VolumeSecret {
  readonly name?: string;
  readonly namespace?: string;
  readonly inClaimNamespace: boolean;
}

function secretsOfPersistentVolume(spec: PersistentVolumeSpec): VolumeSecret[] {
  const { azureFile, csi } = spec;
  const inClaimNamespace = [
    azureFile && { name: azureFile.secretName ?? '', namespace: azureFile.secretNamespace ?? '' },
    spec.cephfs?.secretRef,
    spec.flexVolume?.secretRef,
    spec.rbd?.secretRef,
    spec.scaleIO?.secretRef,
    spec.iscsi?.secretRef,
  ];
  const qualified = [
    spec.cinder?.secretRef,
    spec.storageos?.secretRef,
    csi?.nodeStageSecretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeExpandSecretRef,
  ];
  return [
    ...inClaimNamespace.map(secret => ({ ...secret, inClaimNamespace: true })),
    ...qualified.map(secret => ({ ...secret, inClaimNamespace: false })),
  ];
}

function distinct(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter((name): name is string => name !== undefined && name !== '');
}

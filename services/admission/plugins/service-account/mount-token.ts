import { tokens } from '@binnacle/api-names';
import type { PodSpec, ProjectedVolumeSource } from '@binnacle/api-types/core/v1';
import { podTokenSeconds } from '@binnacle/tokens';
import { listContainers } from '../pods/containers.ts';

/** Path at which containers find the token, the certificate authority and their namespace. */
export const tokenMountPath = tokens.mountPath;

const volumePrefix = 'kube-api-access-';
const readableByAll = 0o644;

/**
 * Mounts the token of the pod's account into each container without a mount at the path, from an existing token volume or a new one
 * of that name.
 */
export function mountToken(spec: PodSpec, newVolumeName: () => string): void {
  const lacking = listContainers(spec).filter(
    container => !(container.volumeMounts ?? []).some(mount => mount.mountPath === tokenMountPath),
  );
  if (lacking.length === 0) return;
  const volumes = spec.volumes ?? [];
  const existing = volumes.map(({ name }) => name ?? '').find(name => name.startsWith(volumePrefix));
  const name = existing ?? newVolumeName();
  for (const container of lacking)
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath: tokenMountPath },
    ];
  if (existing === undefined) spec.volumes = [...volumes, { name, projected: tokenSources() }];
}

function tokenSources(): ProjectedVolumeSource {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: podTokenSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: readableByAll,
  };
}

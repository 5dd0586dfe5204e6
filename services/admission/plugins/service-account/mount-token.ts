import { tokens } from '@binnacle/api-names';
import type { PodSpec, ProjectedVolumeSource } from '@binnacle/api-types/core/v1';
import { podTokenSeconds } from '@binnacle/tokens';
import { listContainers } from '../pods/containers.ts';

/** Where containers find the token, the certificates of the server and their namespace. */
export const tokenMountPath = tokens.mountPath;

const volumePrefix = 'kube-api-access-';
const readableByAll = 0o644;

/**
 * Lets each container that has nothing at the path yet mount the token of the pod's account, from a volume that is there
 * already or a new one of that name.
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

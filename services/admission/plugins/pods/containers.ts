import type { Container, PodSpec } from '@binnacle/api-types/core/v1';

/** Lists the containers of a pod's spec, init containers first. */
export function listContainers(spec: PodSpec): Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** Lists the containers of a pod's spec, ephemeral ones included. */
export function listEveryContainer(spec: PodSpec): Container[] {
  return [...listContainers(spec), ...(spec.ephemeralContainers ?? [])];
}

import type { Container, PodSpec } from '@binnacle/api-types/core/v1';

/** The containers of a pod's spec, those that run before the others first. */
export function listContainers(spec: PodSpec): Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** The containers of a pod's spec, and those that were put into the running pod. */
export function listEveryContainer(spec: PodSpec): Container[] {
  return [...listContainers(spec), ...(spec.ephemeralContainers ?? [])];
}

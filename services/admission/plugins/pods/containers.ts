import type { JsonObject } from '@binnacle/api-objects';
import { asObjects } from '@binnacle/api-types';

/** The containers of a pod's spec, those that run before the others first. */
export function containersOf(spec: JsonObject): JsonObject[] {
  return [...asObjects(spec['initContainers']), ...asObjects(spec['containers'])];
}

/** The containers of a pod's spec, and those that were put into the running pod. */
export function everyContainerOf(spec: JsonObject): JsonObject[] {
  return [...containersOf(spec), ...asObjects(spec['ephemeralContainers'])];
}

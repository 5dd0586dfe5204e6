import type { ResourceDefinition } from './resource-definition.ts';

/** Returns the storage key of an object: `/core/configmaps/<namespace>/<name>`, `/core/namespaces//<name>` if cluster-scoped. */
export function objectKey(definition: ResourceDefinition, namespace: string, name: string): string {
  return `${definition.storagePrefix}${definition.namespaced ? namespace : ''}/${name}`;
}

import type { ResourceDefinition } from './resource-definition.ts';

/** The storage key of an object: `/core/configmaps/<namespace>/<name>`, `/core/namespaces//<name>` when cluster-scoped. */
export function objectKey(definition: ResourceDefinition, namespace: string, name: string): string {
  return `${definition.storagePrefix}${definition.namespaced ? namespace : ''}/${name}`;
}

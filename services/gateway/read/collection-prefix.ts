import type { ResourceDefinition } from '@binnacle/api-types';
import { type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/** Longer than the name of any namespace. */
const namespaceLength = 255;

/**
 * The prefix of the keys of a collection; those of cluster-scoped kinds have an empty namespace, and those of all
 * namespaces any. A namespace with a name that is too long is cut: neither it nor the cut one can have objects.
 */
export function collectionPrefix(definition: ResourceDefinition, namespace: string): StorageKey {
  if (definition.namespaced && namespace === '') return storageKeyFrom(definition.storagePrefix);
  return storageKeyFrom(`${definition.storagePrefix}${namespace.slice(0, namespaceLength)}/`);
}

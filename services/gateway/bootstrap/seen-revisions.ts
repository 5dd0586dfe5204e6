import type { TypeRegistry } from '@binnacle/api-types';
import type { Revision } from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import type { BootstrapObject } from './ensure-objects.ts';

/**
 * Creates a look-up of object revisions in a watch cache: 0 for an object that is not there, undefined until the cache
 * is ready.
 */
export function seenRevisions(
  registry: Pick<TypeRegistry, 'resource'>,
  watchCache: Pick<WatchCache, 'find' | 'ready'>,
): (object: BootstrapObject) => Revision | undefined {
  let isReady = false;
  // Callers that wait for the cache get its error.
  watchCache.ready().then(
    () => {
      isReady = true;
    },
    () => {},
  );
  return ({ group, version, resource, namespace = '', name }) => {
    const definition = isReady ? registry.resource(group, version, resource) : undefined;
    const cache = definition && watchCache.find(definition);
    return cache && (cache.get(namespace, name)?.revision ?? 0);
  };
}

import { serviceAddress, type TypeRegistry } from '@binnacle/api-types';
import type { ConversionCalls } from '@binnacle/conversion-webhooks';
import type { WatchCache } from '@binnacle/watch-cache';

const parsedSlot = Symbol('parsed service');

/** Creates a finder on the services that the cache holds; one is parsed once. */
export function createWebhookAddresses(
  registry: TypeRegistry,
  watchCache: WatchCache,
): ConversionCalls['addressOf'] {
  const services = registry.resource('', 'v1', 'services');
  if (services === undefined) return () => undefined;
  return ({ namespace, name, port }) => {
    const found = watchCache.type(services).get(namespace, name);
    return (
      found &&
      serviceAddress(
        found.derived(parsedSlot, object => object.parse()),
        port,
      )
    );
  };
}

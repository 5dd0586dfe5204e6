import { type CalledService, serviceAddress, type TypeRegistry } from '@binnacle/api-types';
import type { ServiceAddress } from '@binnacle/proto';
import type { WatchCache } from '@binnacle/watch-cache';

/** Finds where a service is; undefined when there is no such service, or none that has an address for the port. */
export type WebhookAddresses = (service: CalledService) => ServiceAddress | undefined;

const parsedSlot = Symbol('parsed service');

/** Creates a finder on the services that the cache holds; one is parsed once. */
export function createWebhookAddresses(registry: TypeRegistry, watchCache: WatchCache): WebhookAddresses {
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

import { serviceAddress } from '@binnacle/api-types';
import type { CallContext, ServiceAddress, ServiceReference } from '@binnacle/proto';
import type { ObjectReader } from '../../sources/objects.ts';

/** Finder of the addresses of services. */
export interface ServiceAddresses {
  /** Returns the address of a service's port; undefined when the service is missing or has no address for the port. */
  find(service: ServiceReference, call: CallContext): Promise<ServiceAddress | undefined>;
}

/** The type from which addresses are read. */
export const servicesType = { group: '', version: 'v1', resource: 'services' };

const parsedSlot = Symbol('parsed service');

/** Creates a finder on Service objects; a cached object is parsed once. */
export function createServiceAddresses(reader: Pick<ObjectReader, 'find'>): ServiceAddresses {
  return {
    async find({ namespace, name, port }, call) {
      const found = await reader.find(namespace, name, call);
      return (
        found &&
        serviceAddress(
          found.derived(parsedSlot, object => object.parse()),
          port,
        )
      );
    },
  };
}

import { serviceAddress } from '@binnacle/api-types';
import type { CallContext, ServiceAddress, ServiceReference } from '@binnacle/proto';
import type { ObjectReader } from '../../sources/objects.ts';

/** Finds out where services are. */
export interface ServiceAddresses {
  /** Undefined when there is no such service, or none that has an address for the port. */
  find(service: ServiceReference, call: CallContext): Promise<ServiceAddress | undefined>;
}

/** The type that addresses are read from. */
export const servicesType = { group: '', version: 'v1', resource: 'services' };

const parsedSlot = Symbol('parsed service');

/** Creates a finder on Service objects; an object of the cache is parsed once. */
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

import type { ServiceContract } from '@binnacle/proto';

/** A service contract together with the handlers that serve it. */
export interface ServiceImplementation {
  readonly contract: ServiceContract<object>;
  readonly handlers: object;
}

/** Binds handlers to the contract that they serve. */
export function implementService<Service extends object>(
  contract: ServiceContract<Service>,
  handlers: Service,
): ServiceImplementation {
  return { contract, handlers };
}

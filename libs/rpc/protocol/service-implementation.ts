import type { ServiceContract } from '@binnacle/proto';

/**
 * Which services may call, by the names in their certificates, and which methods: all of them, or those that are
 * listed. Without TLS callers have no names, and all of them may call.
 */
export type AllowedCallers<Service extends object = object> = Readonly<
  Record<string, 'all' | readonly (keyof Service & string)[]>
>;

/** A service contract together with the handlers that serve it. */
export interface ServiceImplementation {
  readonly contract: ServiceContract<object>;
  readonly handlers: object;
  /** Undefined: every service that has a certificate. */
  readonly callers?: AllowedCallers | undefined;
}

/** Binds handlers to the contract that they serve, and says who may call them. */
export function implementService<Service extends object>(
  contract: ServiceContract<Service>,
  handlers: Service,
  callers?: AllowedCallers<Service>,
): ServiceImplementation {
  // Names of methods are names: what is lost is only that they are this service's.
  return { contract, handlers, callers: callers as AllowedCallers | undefined };
}

import type { ServiceContract } from '@binnacle/proto';

/**
 * The services that may call, by the names in their certificates, each with all methods or a list of them. Without TLS,
 * callers have no names, and every caller may call all methods.
 */
export type AllowedCallers<Service extends object = object> = Readonly<
  Record<string, 'all' | readonly (keyof Service & string)[]>
>;

/** A service contract with its handlers. */
export interface ServiceImplementation {
  readonly contract: ServiceContract<object>;
  readonly handlers: object;
  /** Callers that are allowed; undefined: every service with a certificate. */
  readonly callers?: AllowedCallers | undefined;
}

/** Binds handlers to their service contract and to the callers that are allowed. */
export function implementService<Service extends object>(
  contract: ServiceContract<Service>,
  handlers: Service,
  callers?: AllowedCallers<Service>,
): ServiceImplementation {
  // The cast only drops the fact that the method names belong to this service.
  return { contract, handlers, callers: callers as AllowedCallers | undefined };
}

import type { ServiceContract } from '@binnacle/proto';

/** The contract of a service all of whose methods are gRPC calls of their own; its servers serve both ways. */
export function withoutHotMethods<Service extends object>(
  contract: ServiceContract<Service>,
): ServiceContract<Service> {
  return { ...contract, methods: contract.methods.map(method => ({ ...method, hot: false })) };
}

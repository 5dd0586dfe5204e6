import type { ServiceContract } from '@binnacle/proto';

/** Returns the contract with all methods as separate gRPC calls; servers of the original contract serve both. */
export function withoutHotMethods<Service extends object>(
  contract: ServiceContract<Service>,
): ServiceContract<Service> {
  return { ...contract, methods: contract.methods.map(method => ({ ...method, hot: false })) };
}

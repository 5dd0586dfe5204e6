import type { ServiceContract } from '@binnacle/proto';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { TransportSecurity } from '../rpc/transport-security.ts';

/** How a client finds and calls the pods of a service. */
export type RpcClientOptions<Service extends object = object> = TransportSecurity & {
  /** `host:port` each; a DNS name stands for all its addresses and is resolved again as time goes. */
  readonly addresses: readonly string[];
  /** The name that the server's certificate must hold; default: the host of the address. */
  readonly serverName?: string;
  /** Call streams to each pod; default: 1. */
  readonly streamsPerPeer?: number;
  /** Unary methods that are sent once more, to another pod, when the connection breaks: reads only. */
  readonly retryOnConnectionLost?: readonly (keyof Service & string)[];
  readonly log?: Logger;
  readonly metrics?: Metrics;
};

/** A client of a service: the service's own interface, until it is disposed of. */
export type RpcClient<Service extends object> = Service & AsyncDisposable;

/** Builds a client; connections are made in the background and on demand. */
export function connectRpc<Service extends object>(
  contract: ServiceContract<Service>,
  options: RpcClientOptions<Service>,
): RpcClient<Service> {
  throw new Error(`${contract.name} ${options.addresses}`);
}

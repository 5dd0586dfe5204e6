import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ServiceImplementation } from '../rpc/service-implementation.ts';
import type { TransportSecurity } from '../rpc/transport-security.ts';

/** How a gRPC server is started. */
export type RpcServerOptions = TransportSecurity & {
  readonly services: readonly ServiceImplementation[];
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Connections are renewed after this long, so that new pods get their share; default: 10 minutes. */
  readonly maxConnectionAgeMs?: number;
  /** Calls under way on one call stream; more are refused with 429. Default: 1024. */
  readonly maxCallsPerStream?: number;
  /** How long a stop waits for calls under way; default: 10 s. */
  readonly drainTimeoutMs?: number;
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Stops the server when aborted. */
  readonly signal?: AbortSignal;
};

/** A gRPC server that accepts calls. */
export interface RpcServer extends AsyncDisposable {
  readonly port: number;
  /** Takes no new calls, tells clients to go elsewhere, waits for calls under way (bounded), then ends the rest. */
  stop(): Promise<void>;
}

/** Starts a gRPC server for the given services; resolves when it accepts calls. */
export function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  throw new Error(`port ${options.port}`);
}

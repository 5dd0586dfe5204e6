import { createAddressFilter, defaultDeniedNetworks, parseNetworks } from '@binnacle/network-filter';
import type { WebhookDispatchService } from '@binnacle/proto';
import type { Metrics } from '@binnacle/service-kit';
import { createConnectionPool } from './connections/connection-pool.ts';
import { call } from './handlers/call.ts';
import { createDispatchMetrics } from './handlers/dispatch-metrics.ts';
import type { ServiceResolution, ServiceResolver } from './targets/resolve-target.ts';

/** What a dispatcher is made from. */
export interface WebhookDispatchOptions {
  /** How services are found; default `cluster-ip`. */
  readonly serviceResolution?: ServiceResolution;
  /** Finds the address of a service where the caller does not give it. */
  readonly resolveService?: ServiceResolver;
  /** Whether calls may go to this machine; default false. */
  readonly allowLoopback?: boolean;
  /** Whether calls may go to link-local addresses; default false. */
  readonly allowLinkLocal?: boolean;
  /** Networks that are not called besides; default: those where clouds have metadata services, and NAT64. */
  readonly deniedNetworks?: readonly string[];
  /** Calls to one target that are under way or wait for a connection; default 256. */
  readonly maxCallsPerTarget?: number;
  /** Longest body of an answer in bytes; default 3 MiB. */
  readonly maxAnswerBytes?: number;
  readonly metrics?: Metrics;
}

/** The handlers of webhook-dispatch, and the connections that they keep. */
export interface WebhookDispatch extends AsyncDisposable {
  readonly service: WebhookDispatchService;
}

const defaultMaxAnswerBytes = 3 * 1024 * 1024;

/** Creates a dispatcher; disposing of it closes its connections. Throws for a network that cannot be read. */
export function createWebhookDispatch(options: WebhookDispatchOptions = {}): WebhookDispatch {
  const { resolveService, serviceResolution = 'cluster-ip', allowLoopback, allowLinkLocal } = options;
  const { maxCallsPerTarget, maxAnswerBytes, deniedNetworks = defaultDeniedNetworks } = options;
  const denied = parseNetworks(deniedNetworks);
  const filter = createAddressFilter({ denied, allowLoopback, allowLinkLocal });
  const connections = createConnectionPool({
    filter,
    ...(maxCallsPerTarget === undefined ? {} : { maxCallsPerTarget }),
  });
  const environment = {
    connections,
    rules: { resolveService, serviceResolution, filter },
    metrics: createDispatchMetrics(options.metrics),
    maxAnswerBytes: maxAnswerBytes ?? defaultMaxAnswerBytes,
  };
  return {
    service: { call: (request, context) => call(request, context, environment) },
    async [Symbol.asyncDispose]() {
      connections[Symbol.dispose]();
    },
  };
}

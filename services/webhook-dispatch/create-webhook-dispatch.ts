import { type FlagValues, settingsFrom } from '@binnacle/flags';
import { createAddressFilter, parseNetworks } from '@binnacle/network-filter';
import type { WebhookDispatchService } from '@binnacle/proto';
import type { Metrics } from '@binnacle/telemetry';
import { webhookFlags } from './config.ts';
import { createConnectionPool } from './connections/connection-pool.ts';
import { call } from './handlers/call.ts';
import { createDispatchMetrics } from './handlers/dispatch-metrics.ts';
import type { ResolveService } from './targets/resolve-target.ts';

/** Options of a dispatcher: the flags of calls to webhooks, and those of tests. */
export interface WebhookDispatchOptions extends Partial<FlagValues<typeof webhookFlags>> {
  /** Finds the addresses of services for which the caller gives none. */
  readonly resolveService?: ResolveService;
  /** Longest body of an answer in bytes; default 3 MiB. */
  readonly maxAnswerBytes?: number;
  readonly metrics?: Metrics;
}

/** The handlers of webhook-dispatch, and the connections that they keep. */
interface WebhookDispatch extends AsyncDisposable {
  readonly service: WebhookDispatchService;
}

const defaultMaxAnswerBytes = 3 * 1024 * 1024;

/** Creates a dispatcher; disposing of it closes its connections. Throws for a network that cannot be read. */
export function createWebhookDispatch(options: WebhookDispatchOptions = {}): WebhookDispatch {
  const { resolveService, maxAnswerBytes } = options;
  const settings = settingsFrom(webhookFlags, options);
  const { serviceResolver, maxCallsPerWebhook } = settings;
  const filter = createAddressFilter({
    denied: parseNetworks(settings.webhookDeniedNetworks),
    allowLoopback: settings.allowLoopbackWebhooks,
    allowLinkLocal: settings.allowLinkLocalWebhooks,
  });
  const connections = createConnectionPool({ filter, maxCallsPerWebhook });
  const environment = {
    connections,
    rules: { resolveService, serviceResolver, filter },
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

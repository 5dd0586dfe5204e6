import type { Metrics } from '@binnacle/service-kit';
import type { WatchCacheMetrics } from '@binnacle/watch-cache';
import type { Exchange } from '../pipeline/exchange.ts';
import { requestLabels } from './request-labels.ts';

/** What the gateway measures, under the field's names (behaviour of its existing servers). */
export interface GatewayMetrics {
  /** A request that was answered, or a watch that ended. */
  finished(exchange: Exchange, seconds: number): void;
  /** A request whose user is known, anonymous ones included. */
  authenticated(username: string): void;
  inFlight(kind: 'readOnly' | 'mutating', change: 1 | -1): void;
  longRunning(exchange: Exchange, change: 1 | -1): void;
  /** A request that was turned away because too many were in flight. */
  rejected(kind: 'readOnly' | 'mutating'): void;
  tlsHandshakeFailed(): void;
  readonly watchCache: WatchCacheMetrics;
}

const requestLabelNames = [
  'code',
  'component',
  'dry_run',
  'group',
  'resource',
  'scope',
  'subresource',
  'verb',
  'version',
];
const durationLabelNames = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const component = 'apiserver';

/** Registers the gateway's metrics. Label values come from the served types, never from what clients make up. */
export function createGatewayMetrics(metrics: Metrics): GatewayMetrics {
  const total = metrics.counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource and status code.',
    labelNames: requestLabelNames,
  });
  const duration = metrics.histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer, watches left out.',
    labelNames: durationLabelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  const inFlight = metrics.gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests under way.',
    labelNames: ['request_kind'],
  });
  const longRunning = metrics.gauge({
    name: 'apiserver_longrunning_requests',
    help: 'Watches that are open.',
    labelNames: durationLabelNames,
  });
  const rejected = metrics.counter({
    name: 'apiserver_dropped_requests_total',
    help: 'Requests turned away because too many were in flight.',
    labelNames: ['request_kind'],
  });
  const authenticated = metrics.counter({
    name: 'authenticated_user_requests',
    help: 'Requests by their user, as far as the server itself knows the name.',
    labelNames: ['username'],
  });
  const sizes = metrics.histogram({
    name: 'apiserver_response_sizes',
    help: 'Bytes of the bodies of answers before compression, watches left out.',
    labelNames: durationLabelNames,
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8],
  });
  const handshakes = metrics.counter({
    name: 'apiserver_tls_handshake_errors_total',
    help: 'TLS handshakes that failed.',
  });
  return {
    finished(exchange, seconds) {
      const { verb, dryRun, group, version, resource, subresource, scope } = requestLabels(exchange);
      const code = String(exchange.response.statusCode);
      total.labels(code, component, dryRun, group, resource, scope, subresource, verb, version).inc();
      if (exchange.longRunning) return;
      sizes
        .labels(component, group, resource, scope, subresource, verb, version)
        .observe(exchange.responseBytes);
      duration.labels(component, group, resource, scope, subresource, verb, version).observe(seconds);
    },
    authenticated: username => authenticated.labels(usernameLabel(username)).inc(),
    inFlight: (kind, change) => inFlight.labels(kind).inc(change),
    longRunning(exchange, change) {
      const { verb, group, version, resource, subresource, scope } = requestLabels(exchange);
      longRunning.labels(component, group, resource, scope, subresource, verb, version).inc(change);
    },
    rejected: kind => rejected.labels(kind).inc(),
    tlsHandshakeFailed: () => handshakes.labels().inc(),
    watchCache: createWatchCacheMetrics(metrics),
  };
}

/** Names that users choose are not told apart: there may be any number of them. */
function usernameLabel(username: string): string {
  if (username.startsWith('system:serviceaccount:')) return 'system:serviceaccount';
  return username.startsWith('system:') ? username : 'other';
}

function createWatchCacheMetrics(metrics: Metrics): WatchCacheMetrics {
  const labelNames = ['resource'];
  const stages = metrics.histogram({
    name: 'binnacle_watch_event_stage_seconds',
    help: 'Time that an event spent in each stage of its way to the watchers.',
    labelNames: ['stage'],
  });
  const counters = {
    events: metrics.counter({
      name: 'apiserver_watch_cache_events_received_total',
      help: 'Changes that the watch cache applied.',
      labelNames,
    }),
    deliveries: metrics.counter({
      name: 'apiserver_watch_events_total',
      help: 'Events written to watchers.',
      labelNames,
    }),
    expired: metrics.counter({
      name: 'binnacle_watches_expired_total',
      help: 'Watches ended because their place was no longer in the window.',
      labelNames,
    }),
    slow: metrics.counter({
      name: 'apiserver_terminated_watchers_total',
      help: 'Watches ended because their client did not keep up.',
      labelNames,
    }),
    relists: metrics.counter({
      name: 'apiserver_watch_cache_initializations_total',
      help: 'Listings of a type after its first.',
      labelNames,
    }),
  };
  const gauge = (name: string, help: string) => metrics.gauge({ name, help, labelNames });
  const gauges = {
    objects: gauge('apiserver_storage_objects', 'Objects of a type.'),
    watchers: gauge('apiserver_registered_watchers', 'Open watches of a type.'),
    groups: gauge('binnacle_watch_groups', 'Groups of watches that share their frames.'),
    windowEvents: gauge('apiserver_watch_cache_capacity', 'Events in the window of a type.'),
    windowBytes: gauge('binnacle_watch_window_bytes', 'Bytes of objects in the window of a type.'),
  };
  return {
    observe: (stage, seconds) => stages.labels(stage).observe(seconds),
    count: (counter, resource, by) => counters[counter].labels(resource).inc(by),
    level: (level, resource, value) => gauges[level].labels(resource).set(value),
  };
}

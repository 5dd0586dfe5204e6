import { serviceUsers, understood } from '@binnacle/api-names';
import type { LiveTypeRegistry, ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import { versionInfo } from '@binnacle/build-info';
import type { Metrics } from '@binnacle/telemetry';
import type { WatchCacheMetrics } from '@binnacle/watch-cache';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { createWatchCacheMetrics } from './watch-cache-metrics.ts';

/** The outcome of an authentication. */
type AuthenticationResult = 'success' | 'failure' | 'error';

/** The metrics of the gateway, under the names of kube-apiserver's metrics. */
export interface GatewayMetrics extends RequestMetrics {
  /** Records an authentication; anonymous requests count as successes. */
  attempted(result: AuthenticationResult, seconds: number): void;
  /** Counts a request whose user is known, anonymous ones included. */
  authenticated(username: string): void;
  inFlight(kind: 'readOnly' | 'mutating', change: 1 | -1): void;
  /** Counts a request that was refused because too many were in flight. */
  rejected(kind: 'readOnly' | 'mutating'): void;
  tlsHandshakeFailed(): void;
  readonly watchCache: WatchCacheMetrics;
}

/** Registers the gateway's metrics. Label values come from the served types, never from clients. */
export function createGatewayMetrics(metrics: Metrics, registry: TypeRegistry): GatewayMetrics {
  const inFlight = metrics.gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests under way.',
    labelNames: ['request_kind'],
  });
  const rejected = metrics.counter({
    name: 'apiserver_dropped_requests_total',
    help: 'Requests refused because too many were in flight.',
    labelNames: ['request_kind'],
  });
  for (const kind of ['mutating', 'readOnly']) {
    inFlight.labels(kind).set(0);
    rejected.labels(kind).inc(0);
  }
  const handshakes = metrics
    .counter({ name: 'apiserver_tls_handshake_errors_total', help: 'TLS handshakes that failed.' })
    .labels();
  registerBuildInfo(metrics);
  return {
    ...createRequestMetrics(metrics, registry),
    ...authenticationMetrics(metrics),
    inFlight: (kind, change) => inFlight.labels(kind).inc(change),
    rejected: kind => rejected.labels(kind).inc(),
    tlsHandshakeFailed: () => handshakes.inc(),
    watchCache: createWatchCacheMetrics(metrics, registry),
  };
}

function authenticationMetrics(metrics: Metrics): Pick<GatewayMetrics, 'attempted' | 'authenticated'> {
  const attempts = metrics.counter({
    name: 'authentication_attempts',
    help: 'Attempts to authenticate a request.',
    labelNames: ['result'],
  });
  const durations = metrics.histogram({
    name: 'authentication_duration_seconds',
    help: 'Duration of authentication.',
    labelNames: ['result'],
  });
  const users = metrics.counter({
    name: 'authenticated_user_requests',
    help: 'Requests by user, for users that the server defines.',
    labelNames: ['username'],
  });
  return {
    attempted(result, seconds) {
      attempts.labels(result).inc();
      durations.labels(result).observe(seconds);
    },
    authenticated: username => users.labels(usernameLabel(username)).inc(),
  };
}

/** The label of a username: names that users choose share one, since there may be any number of them. */
function usernameLabel(username: string): string {
  if (username.startsWith('system:serviceaccount:')) return 'system:serviceaccount';
  if (username.startsWith('system:node:')) return 'system:node';
  return systemUsers.has(username) ? username : 'other';
}

const systemUsers = new Set([
  'system:admin',
  'system:anonymous',
  'system:apiserver',
  serviceUsers.controllerManager,
  ...understood.users.controllerManager,
  ...understood.users.nodeProxier,
  ...understood.users.scheduler,
]);

function registerBuildInfo(metrics: Metrics): void {
  const info = versionInfo();
  const labels = {
    build_date: info.buildDate,
    compiler: info.compiler,
    git_commit: info.gitCommit,
    git_tree_state: info.gitTreeState,
    git_version: info.gitVersion,
    go_version: info.goVersion,
    major: info.major,
    minor: info.minor,
    platform: info.platform,
  };
  metrics
    .gauge({
      name: 'kubernetes_build_info',
      help: 'Version of this build: always 1.',
      labelNames: Object.keys(labels),
    })
    .labels(...Object.values(labels).map(String))
    .set(1);
}

/** Removes the series of a type that is no longer served, so that definitions that come and go leave none behind. */
export function forgetSeries(
  metrics: Pick<Metrics, 'removeSeries'>,
  registry: LiveTypeRegistry,
  { group, version, resource, kind }: ResourceDefinition,
): void {
  metrics.removeSeries({ group, version, resource });
  metrics.removeSeries({ group, version, kind });
  if (registry.addedTo(group).resources.some(other => other.resource === resource)) return;
  const name = `${resource}.${group}`;
  for (const label of ['resource', 'crd_name', 'type']) metrics.removeSeries({ [label]: name });
}

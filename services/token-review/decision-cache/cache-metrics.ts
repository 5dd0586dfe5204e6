import type { Metrics } from '@binnacle/telemetry';

/** The metrics of the cached decisions, under the names of kube-apiserver's metrics. */
export interface CacheMetrics {
  /** Counts a look-up of a token: `hit` when no authenticator had to decide. */
  asked(status: 'hit' | 'miss', seconds: number): void;
  /** Counts a decision of an authenticator; the returned function is called with its outcome. */
  fetching(): (status: 'ok' | 'error') => void;
  /** Counts a request that waits for a decision under way; the returned function is called when the wait ends. */
  blocked(): () => void;
}

/** Registers the metrics of the decisions on tokens. */
export function createCacheMetrics(metrics: Metrics): CacheMetrics {
  const labelNames = ['status'];
  const requests = metrics.counter({
    name: 'authentication_token_cache_request_total',
    help: 'Lookups of decisions on tokens: hit when the decision was cached.',
    labelNames,
  });
  const durations = metrics.histogram({
    name: 'authentication_token_cache_request_duration_seconds',
    help: 'Time to give a decision on a token.',
    labelNames,
  });
  const fetches = metrics.counter({
    name: 'authentication_token_cache_fetch_total',
    help: 'Decisions of authenticators: ok, or error when there was none.',
    labelNames,
  });
  const active = metrics.gauge({
    name: 'authentication_token_cache_active_fetch_count',
    help: 'Decisions in progress (in_flight), and requests that wait for them (blocked).',
    labelNames,
  });
  const during = (status: string) => {
    active.labels(status).inc();
    return () => active.labels(status).dec();
  };
  return {
    asked(status, seconds) {
      requests.labels(status).inc();
      durations.labels(status).observe(seconds);
    },
    fetching() {
      const end = during('in_flight');
      return status => {
        end();
        fetches.labels(status).inc();
      };
    },
    blocked: () => during('blocked'),
  };
}

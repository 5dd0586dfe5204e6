import type { CallFailure } from '@binnacle/proto';
import type { Metrics } from '@binnacle/telemetry';

/** Counts and times of the calls to webhooks. */
export interface DispatchMetrics {
  /** Counts a call that begins; the returned function is called with its outcome. */
  begin(): (failure: CallFailure) => void;
}

/** Creates the metrics of the dispatcher; without a registry nothing is recorded. */
export function createDispatchMetrics(metrics: Metrics | undefined): DispatchMetrics {
  if (metrics === undefined) return { begin: () => () => {} };
  const inFlight = metrics
    .gauge({ name: 'binnacle_webhook_dispatch_calls_in_flight', help: 'Calls to webhooks under way.' })
    .labels();
  const durations = metrics.histogram({
    name: 'binnacle_webhook_dispatch_call_duration_seconds',
    help: 'Duration of calls to webhooks, by kind of failure (NONE: no failure).',
    labelNames: ['failure'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  return {
    begin() {
      const start = performance.now();
      inFlight.inc();
      return failure => {
        inFlight.dec();
        durations.labels(failure).observe((performance.now() - start) / 1000);
      };
    },
  };
}

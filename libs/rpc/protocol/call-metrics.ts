import type { StatusError } from '@binnacle/status-errors';
import type { CounterChild, HistogramChild, MetricFamily, Metrics } from '@binnacle/telemetry';

/** Metrics of calls: counts and durations, on the side of the server or the client. */
export interface CallMetrics {
  /** Starts a call of `label` (`Storage.get`); returns a function for its end, which takes the error of a failed call. */
  start(label: string): (error?: StatusError) => void;
}

const nothing = () => {};

/**
 * Creates the metrics `binnacle_rpc_<side>_calls_total` and `binnacle_rpc_<side>_duration_seconds`; without a registry
 * it records nothing.
 */
export function createCallMetrics(side: 'server' | 'client', metrics: Metrics | undefined): CallMetrics {
  if (!metrics) return { start: () => nothing };
  const calls = metrics.counter({
    name: `binnacle_rpc_${side}_calls_total`,
    help: `Calls between services, seen by the ${side}, by method and outcome.`,
    labelNames: ['method', 'outcome'],
  });
  const seconds = metrics.histogram({
    name: `binnacle_rpc_${side}_duration_seconds`,
    help: `Duration of calls between services, seen by the ${side}.`,
    labelNames: ['method'],
  });
  const methods = new Map<string, MethodMetrics>();
  return {
    start(label) {
      let method = methods.get(label);
      if (!method) {
        method = new MethodMetrics(label, calls, seconds);
        methods.set(label, method);
      }
      return method.start();
    },
  };
}

class MethodMetrics {
  readonly #label: string;
  readonly #calls: MetricFamily<CounterChild>;
  readonly #ok: CounterChild;
  readonly #seconds: HistogramChild;

  constructor(label: string, calls: MetricFamily<CounterChild>, seconds: MetricFamily<HistogramChild>) {
    this.#label = label;
    this.#calls = calls;
    this.#ok = calls.labels(label, 'OK');
    this.#seconds = seconds.labels(label);
  }

  start(): (error?: StatusError) => void {
    const begin = performance.now();
    return error => {
      this.#seconds.observe((performance.now() - begin) / 1000);
      (error ? this.#calls.labels(this.#label, error.reason) : this.#ok).inc();
    };
  }
}

import type { Metrics } from '@binnacle/telemetry';

/** Records the times between values that are encrypted, and between those that are decrypted. */
interface Arrivals {
  toStorage(): void;
  fromStorage(): void;
}

/** Creates the metric of kube-apiserver for the times between values. */
export function createArrivals(metrics: Metrics): Arrivals {
  const histogram = metrics.histogram({
    name: 'apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds',
    help: 'Time between two values that are encrypted or decrypted with data keys.',
    labelNames: ['transformation_type'],
    buckets: Array.from({ length: 10 }, (_, power) => 60 * 2 ** power),
  });
  const recorder = (type: string): (() => void) => {
    const child = histogram.labels(type);
    let last = performance.now();
    return () => {
      const now = performance.now();
      child.observe((now - last) / 1000);
      last = now;
    };
  };
  return { toStorage: recorder('to_storage'), fromStorage: recorder('from_storage') };
}

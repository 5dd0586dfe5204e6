import { splitApiVersion } from '@binnacle/api-objects';
import { serviceAddress, type TypeRegistry } from '@binnacle/api-types';
import type { ConversionCalls } from '@binnacle/conversion-webhooks';
import type { Metrics } from '@binnacle/telemetry';
import type { WatchCache } from '@binnacle/watch-cache';

/** Registers the metrics of conversions, under kube-apiserver's metric name; definitions are as many as are served. */
export function createConversionMetrics(metrics: Metrics): Pick<ConversionCalls, 'begin'> {
  const durations = metrics.histogram({
    name: 'apiserver_crd_webhook_conversion_duration_seconds',
    help: 'Duration of calls of conversion webhooks, by whether the objects were converted.',
    labelNames: ['crd_name', 'from_version', 'to_version', 'succeeded'],
    buckets: [
      0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192,
    ],
  });
  return {
    begin({ definition, from, to }) {
      const start = performance.now();
      return succeeded =>
        durations
          .labels(definition, splitApiVersion(from).version, splitApiVersion(to).version, String(succeeded))
          .observe((performance.now() - start) / 1000);
    },
  };
}

const parsedSlot = Symbol('parsed service');

/** Creates the finder of webhook addresses, over the services in the watch cache; each is parsed once. */
export function createWebhookAddresses(
  registry: TypeRegistry,
  watchCache: WatchCache,
): ConversionCalls['findAddress'] {
  const services = registry.resource('', 'v1', 'services');
  if (services === undefined) return () => undefined;
  return ({ namespace, name, port }) => {
    const found = watchCache.type(services).get(namespace, name);
    return (
      found &&
      serviceAddress(
        found.derived(parsedSlot, object => object.parse()),
        port,
      )
    );
  };
}

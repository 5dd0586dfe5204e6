import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { Metrics } from '@binnacle/telemetry';
import type { WatchCacheMetrics } from '@binnacle/watch-cache';

const sizeBuckets = [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];

/** Registers the metrics of the watch cache, and returns the object that it reports to. */
export function createWatchCacheMetrics(metrics: Metrics, registry: TypeRegistry): WatchCacheMetrics {
  const stages = metrics.histogram({
    name: 'binnacle_watch_event_stage_seconds',
    help: 'Time that an event spent in each stage of its way to the watchers: published, received, written.',
    labelNames: ['stage'],
  });
  const stageOf = {
    published: stages.labels('published'),
    received: stages.labels('received'),
    written: stages.labels('written'),
  };
  const delivered = createDeliveries(metrics, registry);
  const counters = createCounters(metrics);
  const gauges = createGauges(metrics);
  return {
    observe: (stage, seconds) => stageOf[stage].observe(seconds),
    delivered,
    count: (counter, resource, by) => counters[counter].labels(resource).inc(by),
    level: (level, resource, value) => gauges[level].labels(resource).set(value),
  };
}

function createDeliveries(metrics: Metrics, registry: TypeRegistry): WatchCacheMetrics['delivered'] {
  const labelNames = ['group', 'kind', 'version'];
  const events = metrics.counter({
    name: 'apiserver_watch_events_total',
    help: 'Events written to watchers, by the type as it is stored.',
    labelNames,
  });
  const sizes = metrics.histogram({
    name: 'apiserver_watch_events_sizes',
    help: 'Bytes of events written to watchers, by the type as it is stored.',
    labelNames,
    buckets: sizeBuckets,
  });
  const seriesByResource = new Map<
    string,
    { readonly event: ReturnType<typeof events.labels>; readonly size: ReturnType<typeof sizes.labels> }
  >();
  const findLabels = (resource: string): string[] => {
    const definition = registry.resources.find(candidate => fullResourceName(candidate) === resource);
    const { group = '', kind = '', version = '' } = definition?.storage ?? definition ?? {};
    return [group, kind, version];
  };
  let removals = 0;
  return (resource, bytes, times) => {
    if (removals !== metrics.removals) {
      removals = metrics.removals;
      seriesByResource.clear();
    }
    let series = seriesByResource.get(resource);
    if (series === undefined) {
      const labels = findLabels(resource);
      series = { event: events.labels(...labels), size: sizes.labels(...labels) };
      seriesByResource.set(resource, series);
    }
    series.event.inc(times);
    series.size.observe(bytes, times);
  };
}

function fullResourceName({ resource, group }: ResourceDefinition): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function createCounters(metrics: Metrics) {
  const counter = (name: string, help: string) => metrics.counter({ name, help, labelNames: ['resource'] });
  return {
    events: counter('apiserver_watch_cache_events_received_total', 'Changes that the watch cache applied.'),
    expired: counter(
      'binnacle_watches_expired_total',
      'Watches ended because their resourceVersion had left the history window.',
    ),
    slow: counter('apiserver_terminated_watchers_total', 'Watches ended because their client was too slow.'),
    relists: counter('apiserver_watch_cache_initializations_total', 'Listings of a type after its first.'),
  };
}

function createGauges(metrics: Metrics) {
  const gauge = (name: string, help: string) => metrics.gauge({ name, help, labelNames: ['resource'] });
  return {
    objects: gauge('apiserver_storage_objects', 'Objects of a type.'),
    watchers: gauge('apiserver_registered_watchers', 'Open watches of a type.'),
    groups: gauge('binnacle_watch_groups', 'Groups of watches that share their frames.'),
    windowEvents: gauge('apiserver_watch_cache_capacity', 'Events in the window of a type.'),
    windowBytes: gauge('binnacle_watch_window_bytes', 'Bytes of objects in the window of a type.'),
  };
}

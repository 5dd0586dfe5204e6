import type { TypeRegistry } from '@binnacle/api-types';
import type { CounterChild, GaugeChild, HistogramChild, Metrics } from '@binnacle/telemetry';
import type { Exchange } from '../request/exchange.ts';
import { type RequestLabels, requestLabels } from './request-labels.ts';

/** The metrics of requests, under the names of kube-apiserver's metrics. */
export interface RequestMetrics {
  /** Records a request that was answered, or a watch that ended. */
  finished(exchange: Exchange, seconds: number): void;
  /** Counts a request that the server refused or cut off to protect itself. */
  terminated(exchange: Exchange, code: number): void;
  /** Records a request for a deprecated version; `removedRelease` is the release without it, "" when none is named. */
  deprecated(exchange: Exchange, removedRelease: string): void;
  longRunning(exchange: Exchange, change: 1 | -1): void;
}

/** The metrics of requests with the same labels, looked up once. */
interface Series {
  readonly labels: RequestLabels;
  readonly byCode: Map<number, CounterChild>;
  /** Made for the first request that is not a watch. */
  measured?: Measured;
}

interface Measured {
  readonly duration: HistogramChild;
  readonly undelayed: HistogramChild;
  readonly size: HistogramChild;
}

const component = 'apiserver';
const resourceLabelNames = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const durationLabelNames = [...resourceLabelNames, 'dry_run'].sort();
const totalLabelNames = [...durationLabelNames, 'code'].sort();
const abortLabelNames = resourceLabelNames.filter(name => name !== 'component');

const durationBuckets = [
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8],
  ...[10, 15, 20, 30, 45, 60],
];
const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Registers the metrics of requests. */
export function createRequestMetrics(metrics: Metrics, registry: TypeRegistry): RequestMetrics {
  const families = createFamilies(metrics);
  const seriesByLabels = new Map<string, Series>();
  /** The gauge that counts an open exchange until it ends: its type may no longer be served by then. */
  const open = new WeakMap<Exchange, GaugeChild>();
  let removals = 0;
  const findSeries = (exchange: Exchange): Series => {
    const labels = requestLabels(exchange, registry);
    const { verb, dryRun, group, version, resource, subresource, scope } = labels;
    const key = `${verb}/${dryRun}/${group}/${version}/${resource}/${subresource}/${scope}`;
    if (removals !== metrics.removals) {
      removals = metrics.removals;
      seriesByLabels.clear();
    }
    let series = seriesByLabels.get(key);
    if (series === undefined) {
      series = { labels, byCode: new Map() };
      seriesByLabels.set(key, series);
    }
    return series;
  };
  const childFor = (family: typeof families.total, names: readonly string[], exchange: Exchange, code = 0) =>
    family.labels(...valuesFor(names, findSeries(exchange).labels, code));
  return {
    finished(exchange, seconds) {
      const series = findSeries(exchange);
      const { statusCode, writableFinished } = exchange.response;
      findTotal(series, statusCode, families.total).inc();
      if (!exchange.longRunning && !writableFinished && exchange.isDisconnected)
        childFor(families.aborted, abortLabelNames, exchange).inc();
      if (exchange.longRunning) return;
      series.measured ??= metersForLabels(series.labels, families);
      const { size, duration, undelayed } = series.measured;
      size.observe(exchange.responseBytes);
      duration.observe(seconds);
      undelayed.observe(Math.max(0, seconds - exchange.notes.webhookSeconds));
    },
    terminated(exchange, code) {
      childFor(families.terminated, [...resourceLabelNames, 'code'].sort(), exchange, code).inc();
    },
    deprecated(exchange, removedRelease) {
      const { group, version, resource, subresource } = findSeries(exchange).labels;
      families.deprecated.labels(group, removedRelease, resource, subresource, version).set(1);
    },
    longRunning(exchange, change) {
      const labels = () => valuesFor(resourceLabelNames, findSeries(exchange).labels);
      const gauge = open.get(exchange) ?? families.longRunning.labels(...labels());
      open.set(exchange, gauge);
      gauge.inc(change);
    },
  };
}

function metersForLabels(labels: RequestLabels, families: ReturnType<typeof createFamilies>): Measured {
  return {
    duration: families.duration.labels(...valuesFor(durationLabelNames, labels)),
    undelayed: families.undelayed.labels(...valuesFor(durationLabelNames, labels)),
    size: families.size.labels(...valuesFor(resourceLabelNames, labels)),
  };
}

function findTotal(
  { byCode, labels }: Series,
  code: number,
  total: ReturnType<typeof createFamilies>['total'],
): CounterChild {
  let child = byCode.get(code);
  if (child === undefined) {
    child = total.labels(...valuesFor(totalLabelNames, labels, code));
    byCode.set(code, child);
  }
  return child;
}

function valuesFor(names: readonly string[], labels: RequestLabels, code = 0): string[] {
  const { dryRun, ...rest } = labels;
  const values: Readonly<Record<string, string>> = {
    ...rest,
    component,
    dry_run: dryRun,
    code: String(code),
  };
  return names.map(name => values[name] ?? '');
}

function createFamilies(metrics: Metrics) {
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    metrics.counter({ name, help, labelNames });
  const gauge = (name: string, help: string, labelNames: readonly string[]): ReturnType<Metrics['gauge']> =>
    metrics.gauge({ name, help, labelNames });
  const histogram = (name: string, help: string, more: { labelNames: string[]; buckets: number[] }) =>
    metrics.histogram({ name, help, ...more });
  const durations = { labelNames: durationLabelNames, buckets: durationBuckets };
  return {
    total: counter('apiserver_request_total', 'Requests by verb, resource and status code.', totalLabelNames),
    terminated: counter(
      'apiserver_request_terminations_total',
      'Requests that the server refused or ended to protect itself.',
      [...resourceLabelNames, 'code'].sort(),
    ),
    aborted: counter(
      'apiserver_request_aborts_total',
      'Requests whose client disconnected before the end of the answer, without watches.',
      abortLabelNames,
    ),
    duration: histogram(
      'apiserver_request_duration_seconds',
      'Time from the first byte of a request to the end of its answer, without watches.',
      durations,
    ),
    undelayed: histogram(
      'apiserver_request_sli_duration_seconds',
      'Time from the first byte of a request to the end of its answer without that of webhooks and without watches.',
      durations,
    ),
    size: histogram(
      'apiserver_response_sizes',
      'Bytes of the bodies of answers before compression, without watches.',
      { labelNames: resourceLabelNames, buckets: sizeBuckets },
    ),
    longRunning: gauge(
      'apiserver_longrunning_requests',
      'Watches and proxied requests that are open.',
      resourceLabelNames,
    ),
    deprecated: gauge(
      'apiserver_requested_deprecated_apis',
      'Deprecated resources that were requested since the start: 1 for each.',
      ['group', 'removed_release', 'resource', 'subresource', 'version'],
    ),
  };
}

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { HistogramCell, registerHistogram } from './histogram.ts';

/** Name, help text and labels of a metric. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** Metrics of one name, one child for each combination of label values. */
export interface MetricFamily<Child> {
  /** The child for these label values, in the order of `labelNames`; made once and kept, so keep values few. */
  labels(...values: string[]): Child;
}

/** Counts up. */
export interface CounterChild {
  inc(by?: number): void;
}

/** A value that goes up and down. */
export interface GaugeChild {
  inc(by?: number): void;
  dec(by?: number): void;
  set(value: number): void;
}

/** Sorts observations into buckets. */
export interface HistogramChild {
  /** Notes a value; `times`, 1 by default, for one that occurred so often. */
  observe(value: number, times?: number): void;
}

/** The metrics of one process. */
export interface Metrics {
  /** For metrics that the helpers do not cover. */
  readonly registry: Registry;
  /** A family of counters; the same name gives the same family. */
  counter(options: MetricOptions): MetricFamily<CounterChild>;
  /** A family of gauges; the same name gives the same family. */
  gauge(options: MetricOptions): MetricFamily<GaugeChild>;
  /** A family of histograms; the same name gives the same family. Default buckets: 0.5 ms to 10 s. */
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): MetricFamily<HistogramChild>;
  /** The text format of Prometheus. */
  render(): Promise<{ contentType: string; body: string }>;
}

const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How often the delay of the event loop is looked at: each look wakes a process that has nothing else to do. */
const eventLoopSampleMs = 50;

/** Creates a registry of its own, with the metrics of the process (CPU, memory, event loop) unless `process` is false. */
export function createMetrics(options: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.process ?? true) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  }
  const families = new Map<string, MetricFamily<unknown>>();
  const once = <Child>(key: string, create: () => MetricFamily<Child>): MetricFamily<Child> => {
    // The key holds the type of the metric, so the family has the child that is asked for; a name that is used for
    // two types is refused by the registry.
    const family = (families.get(key) as MetricFamily<Child> | undefined) ?? create();
    families.set(key, family);
    return family;
  };
  return {
    registry,
    counter: metric => once(`counter ${metric.name}`, () => counterFamily(registry, metric)),
    gauge: metric => once(`gauge ${metric.name}`, () => gaugeFamily(registry, metric)),
    histogram: metric => once(`histogram ${metric.name}`, () => histogramFamily(registry, metric)),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** Counting is one addition: prom-client sees the sums only when somebody collects them. */
class Cell {
  value = 0;
  readonly labels: readonly string[];

  constructor(labels: readonly string[]) {
    this.labels = labels;
  }

  inc(by = 1): void {
    this.value += by;
  }

  dec(by = 1): void {
    this.value -= by;
  }

  set(value: number): void {
    this.value = value;
  }
}

function counterFamily(registry: Registry, options: MetricOptions): MetricFamily<CounterChild> {
  const cells = new Map<string, Cell>();
  new Counter({
    ...configOf(registry, options),
    collect() {
      this.reset();
      for (const cell of cells.values()) this.labels(...cell.labels).inc(cell.value);
    },
  });
  return cachedChildren(cells, labels => new Cell(labels));
}

function gaugeFamily(registry: Registry, options: MetricOptions): MetricFamily<GaugeChild> {
  const cells = new Map<string, Cell>();
  new Gauge({
    ...configOf(registry, options),
    collect() {
      for (const cell of cells.values()) this.labels(...cell.labels).set(cell.value);
    },
  });
  return cachedChildren(cells, labels => new Cell(labels));
}

function histogramFamily(
  registry: Registry,
  options: MetricOptions & { readonly buckets?: readonly number[] },
): MetricFamily<HistogramChild> {
  const { name, help, labelNames = [], buckets: bounds = latencyBuckets } = options;
  const cells = new Map<string, HistogramCell>();
  registerHistogram(registry, cells, { name, help, labelNames, bounds });
  return cachedChildren(cells, labels => new HistogramCell(labels, bounds));
}

function configOf(registry: Registry, options: MetricOptions) {
  const { name, help, labelNames = [] } = options;
  return { name, help, labelNames: [...labelNames], registers: [registry] };
}

function cachedChildren<Child>(
  children: Map<string, Child>,
  create: (labels: string[]) => Child,
): MetricFamily<Child> {
  return {
    labels(...values) {
      const key = values.length === 1 ? (values[0] ?? '') : values.join('\u0000');
      let child = children.get(key);
      if (child === undefined) {
        child = create(values);
        children.set(key, child);
      }
      return child;
    },
  };
}

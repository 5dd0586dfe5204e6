import { sharedSlices } from '@binnacle/event-loop';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Family, type FamilyCell, type FamilyOptions } from './family.ts';

/** Name, help text and labels of a metric. */
interface MetricOptions {
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
  /** A family of counters; the same name gives the same family. */
  counter(options: MetricOptions): MetricFamily<CounterChild>;
  /** A family of gauges; the same name gives the same family. */
  gauge(options: MetricOptions): MetricFamily<GaugeChild>;
  /** A family of histograms; the same name gives the same family. Default buckets: 0.5 ms to 10 s. */
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): MetricFamily<HistogramChild>;
  /**
   * Forgets every series that has these label values, in every family that has these labels. Children that a caller kept are
   * not rendered any more: a caller that keeps children compares `removals` with what it was and gets new ones.
   */
  removeSeries(match: Readonly<Record<string, string>>): void;
  /** How many times series were removed. */
  readonly removals: number;
  /** The text format of Prometheus, written in slices; calls that come while it is being written share it. */
  render(): Promise<{ contentType: string; body: string }>;
}

const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Once in 24 days: looks of prom-client at the event loop would wake a process that has nothing else to do. */
const eventLoopSampleMs = 2 ** 31 - 1;

/** Figures of these looks; `binnacle_event_loop_delay_seconds` replaces them, and stops while there is no work. */
const eventLoopFigures = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

/**
 * Combinations of label values that a metric tells apart. Labels never come from what clients make up; this holds where
 * that is a mistake.
 */
const mostCells = 10_000;

/** Creates metrics of their own, with those of the process (CPU, memory, event loop) unless `process` is false. */
export function createMetrics(options: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.process ?? true) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
    for (const figure of eventLoopFigures)
      registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
  }
  const families = new Map<string, Family<FamilyCell>>();
  const types = new Map<string, string>();
  let removals = 0;
  let rendering: Promise<string> | undefined;
  const once = <C extends FamilyCell>(
    type: FamilyOptions<C>['type'],
    { name, help, labelNames = [] }: MetricOptions,
    create: (labels: readonly string[]) => C,
  ): Family<C> => {
    const known = types.get(name);
    if (known !== undefined && known !== type) throw new Error(`the metric ${name} is a ${known}`);
    types.set(name, type);
    // A family of the same type, as was just checked, has cells of the same type.
    const family =
      (families.get(name) as Family<C> | undefined) ??
      new Family({ name, help, type, labelNames, create, mostCells });
    families.set(name, family);
    return family;
  };
  return {
    counter: metric => once('counter', metric, labels => new Cell(labels)),
    gauge: metric => once('gauge', metric, labels => new Cell(labels)),
    histogram: ({ buckets = latencyBuckets, ...metric }) =>
      once('histogram', metric, labels => new HistogramCell(labels, buckets)),
    removeSeries(match) {
      removals++;
      for (const family of families.values()) family.remove(match);
    },
    get removals() {
      return removals;
    },
    async render() {
      rendering ??= renderAll(registry, [...families.values()]).finally(() => {
        rendering = undefined;
      });
      return { contentType: registry.contentType, body: await rendering };
    },
  };
}

/** The cells of a family may change and go while it is being written: each is written as it is when its turn comes. */
async function renderAll(registry: Registry, families: readonly Family<FamilyCell>[]): Promise<string> {
  const ofProcess = await registry.metrics();
  const blocks = ofProcess.trim() === '' ? [] : [ofProcess.trimEnd()];
  for (const family of families) {
    const texts: string[] = [];
    for (const text of family.texts()) {
      texts.push(text);
      if (sharedSlices.isOver()) await sharedSlices.yield();
    }
    blocks.push(texts.join(''));
  }
  return `${blocks.join('\n\n')}\n`;
}

/** One combination of label values of a counter or gauge: counting is one addition. */
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

  /** The line of this combination in the text format of Prometheus; `labels` is the inside of the braces. */
  lines(name: string, labels: string): string {
    return `\n${name}${labels === '' ? '' : `{${labels}}`} ${this.value}`;
  }
}

/** One combination of label values of a histogram: an observation is a search in a short array and three additions. */
class HistogramCell {
  readonly labels: readonly string[];
  /** Observations that fell into each bucket, the last being those above all bounds. */
  readonly counts: Float64Array;
  sum = 0;
  count = 0;
  readonly #bounds: readonly number[];

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.labels = labels;
    this.counts = new Float64Array(bounds.length + 1);
    this.#bounds = bounds;
  }

  observe(value: number, times = 1): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++; // In range: see the condition.
    this.counts[bucket] = (this.counts[bucket] as number) + times; // One more than there are bounds.
    this.sum += value * times;
    this.count += times;
  }

  /** The lines of this combination in the text format of Prometheus; `labels` is the inside of the braces. */
  lines(name: string, labels: string): string {
    const more = labels === '' ? '' : `,${labels}`;
    let below = 0;
    let text = '';
    for (const [index, bound] of this.#bounds.entries()) {
      below += this.counts[index] ?? 0;
      text += `\n${name}_bucket{le="${bound}"${more}} ${below}`;
    }
    const own = labels === '' ? '' : `{${labels}}`;
    return `${text}\n${name}_bucket{le="+Inf"${more}} ${this.count}\n${name}_sum${own} ${this.sum}\n${name}_count${own} ${this.count}`;
  }
}

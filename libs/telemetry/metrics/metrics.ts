import { sharedSlices } from '@binnacle/event-loop';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Family, type FamilyCell, type FamilyOptions } from './family.ts';

/** Name, help text and labels of a metric. */
interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** The metrics of one name, with a child for each combination of label values. */
export interface MetricFamily<Child> {
  /** Returns the child of these label values, in the order of `labelNames`; it is created once and kept, so use few values. */
  labels(...values: string[]): Child;
}

/** A value that only increases. */
export interface CounterChild {
  inc(by?: number): void;
}

/** A value that increases and decreases. */
export interface GaugeChild {
  inc(by?: number): void;
  dec(by?: number): void;
  set(value: number): void;
}

/** Counts observations in buckets. */
export interface HistogramChild {
  /** Records a value; `times` is the number of its occurrences, default: 1. */
  observe(value: number, times?: number): void;
}

/** The metrics of one process. */
export interface Metrics {
  /** Returns a family of counters; one name always returns the same family. */
  counter(options: MetricOptions): MetricFamily<CounterChild>;
  /** Returns a family of gauges; one name always returns the same family. */
  gauge(options: MetricOptions): MetricFamily<GaugeChild>;
  /** Returns a family of histograms; one name always returns the same family. Default buckets: 0.5 ms to 10 s. */
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): MetricFamily<HistogramChild>;
  /**
   * Removes every series with these label values, in every family with these labels. Children that a caller kept are no
   * longer rendered: such a caller compares `removals` with its last value and gets new children.
   */
  removeSeries(match: Readonly<Record<string, string>>): void;
  /** Number of calls of `removeSeries`. */
  readonly removals: number;
  /** Renders all metrics in the Prometheus text format, in slices of the event loop; concurrent calls share one result. */
  render(): Promise<{ contentType: string; body: string }>;
}

const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Interval of prom-client's event loop samples, in ms: 24 days, because each sample would wake an idle process. */
const eventLoopSampleMs = 2 ** 31 - 1;

/**
 * Statistics of these samples; `binnacle_event_loop_delay_seconds` replaces them, and is measured less often in an idle
 * process.
 */
const eventLoopFigures = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

/**
 * Maximum number of combinations of label values of a metric. Label values never come from client input; this bounds the
 * memory if a bug lets them.
 */
const mostCells = 10_000;

/** Creates a metrics registry, with metrics of the process (CPU, memory, event loop) unless `process` is false. */
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
    // The type was just checked, and families of one type have cells of one type.
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

/** Renders all families. Cells may change or be removed meanwhile; each is rendered with its value at that moment. */
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

/** One combination of label values of a counter or gauge; counting costs one addition. */
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

  /** Renders the line of this combination in the Prometheus text format; `labels` is the text between the braces. */
  lines(name: string, labels: string): string {
    return `\n${name}${labels === '' ? '' : `{${labels}}`} ${this.value}`;
  }
}

/** One combination of label values of a histogram; an observation costs a search in a short array and three additions. */
class HistogramCell {
  readonly labels: readonly string[];
  /** Number of observations in each bucket; the last one counts those above all bounds. */
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
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++; // In range by the loop condition.
    this.counts[bucket] = (this.counts[bucket] as number) + times; // In range: there is one more count than bounds.
    this.sum += value * times;
    this.count += times;
  }

  /** Renders the lines of this combination in the Prometheus text format; `labels` is the text between the braces. */
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

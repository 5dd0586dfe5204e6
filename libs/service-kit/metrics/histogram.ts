import { Histogram, type Registry } from 'prom-client';

/**
 * One combination of label values of a histogram: an observation is a search in a short array and three additions.
 * prom-client sees the sums only when somebody collects them.
 */
export class HistogramCell {
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
}

/** Name, help text, labels and upper bounds, in rising order. */
export interface CellHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly bounds: readonly number[];
}

/** Registers a histogram whose observations are kept in `cells`. */
export function registerHistogram(
  registry: Registry,
  cells: ReadonlyMap<string, HistogramCell>,
  { name, help, labelNames, bounds }: CellHistogramOptions,
): void {
  const histogram = new Histogram({
    name,
    help,
    labelNames: [...labelNames],
    buckets: [...bounds],
    registers: [registry],
  });
  type Collected = Awaited<ReturnType<typeof histogram.get>>;
  const collect = async (): Promise<Collected> => {
    const values = [...cells.values()].flatMap(cell => valuesOf(cell, { name, labelNames, bounds }));
    // The declared type has no `exemplar` of bounds, and `aggregator` keeps its default.
    return { name, help, type: 'histogram', values, aggregator: 'sum' } as unknown as Collected;
  };
  histogram.get = collect;
  Object.assign(histogram, { getForPromString: collect });
}

function valuesOf(
  cell: HistogramCell,
  { name, labelNames, bounds }: Omit<CellHistogramOptions, 'help'>,
): { metricName: string; labels: Record<string, string | number>; value: number }[] {
  const labels = Object.fromEntries(labelNames.map((label, index) => [label, cell.labels[index] ?? '']));
  let below = 0;
  const buckets = bounds.map((bound, index) => {
    below += cell.counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le: bound, ...labels }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: cell.count },
    { metricName: `${name}_sum`, labels, value: cell.sum },
    { metricName: `${name}_count`, labels, value: cell.count },
  ];
}

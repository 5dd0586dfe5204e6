/** One combination of label values of a histogram: an observation is a search in a short array and three additions. */
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

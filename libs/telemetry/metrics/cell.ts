/** One combination of label values of a counter or gauge: counting is one addition. */
export class Cell {
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

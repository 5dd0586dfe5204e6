/** One measured figure beside its target. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly target: number;
  /** The median of the runs. */
  readonly median: number;
  /** The worst of the runs. */
  readonly worst: number;
  readonly better: 'higher' | 'lower';
}

/** Prints the figures as a table and answers whether every median is within its target. */
export function printFigures(figures: readonly Figure[]): boolean {
  for (const { what, unit, target, median, worst, better } of figures) {
    const bound = `${better === 'higher' ? 'at least' : 'at most'} ${amount(target)}`;
    console.log(
      `${what.padEnd(30)} ${amount(median)} ${unit} (worst run ${amount(worst)}; target: ${bound}) ${isMet({ target, median, better }) ? 'ok' : 'MISSED'}`,
    );
  }
  return figures.every(isMet);
}

/** The value in the middle. */
export function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function isMet({ target, median, better }: Pick<Figure, 'target' | 'median' | 'better'>): boolean {
  return better === 'higher' ? median >= target : median <= target;
}

function amount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

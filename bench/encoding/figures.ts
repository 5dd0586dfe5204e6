/** One measured figure beside its target. */
interface Figure {
  readonly what: string;
  readonly unit: string;
  /** Absent: shown for comparison. */
  readonly target?: number;
  /** The median of the runs. */
  readonly median: number;
  /** The worst of the runs. */
  readonly worst: number;
  readonly better: 'higher' | 'lower';
}

/** Prints the figures as a table and answers whether every median is within its target. */
export function printFigures(figures: readonly Figure[]): boolean {
  for (const figure of figures) {
    const { what, unit, median, worst } = figure;
    console.log(
      `${what.padEnd(30)} ${amount(median)} ${unit} (worst run ${amount(worst)}${verdict(figure)})`,
    );
  }
  return figures.every(isMet);
}

function verdict(figure: Figure): string {
  const { target, better } = figure;
  if (target === undefined) return '';
  const bound = `${better === 'higher' ? 'at least' : 'at most'} ${amount(target)}`;
  return `; target ${bound}: ${isMet(figure) ? 'met' : 'MISSED'}`;
}

/** The value in the middle. */
export function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function isMet({ target, median, better }: Figure): boolean {
  if (target === undefined) return true;
  return better === 'higher' ? median >= target : median <= target;
}

function amount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

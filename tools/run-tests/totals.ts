/** Numbers of tests by outcome. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The totals of no tests. */
export const noTests: Totals = { passed: 0, failed: 0, skipped: 0 };

/** The sum of two totals. */
export function addTotals(a: Totals, b: Totals): Totals {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The last line of a run. */
export function totalsLine(totals: Totals): string {
  return `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`;
}

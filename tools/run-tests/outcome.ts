import { noTests, type Totals } from './totals.ts';

/** A line of JSON from the reporter of a test process. */
export type OutcomeLine =
  | { readonly totals: Totals }
  | { readonly failure: string }
  /** Every test has ended. */
  | { readonly isWhole: true };

/** The outcome of the tests of a process, as far as it ran. */
export interface Outcome {
  readonly totals: Totals;
  /** A text of each failure. */
  readonly failures: readonly string[];
  /** Whether the process reached the end of its tests. */
  readonly isWhole: boolean;
}

/** Reads the lines that the reporter wrote. */
export function parseOutcome(text: string): Outcome {
  // The reporter writes lines of this shape. The last one is cut off where the process was ended.
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as OutcomeLine);
  return {
    totals: lines.reduce((last, line) => ('totals' in line ? line.totals : last), noTests),
    failures: lines.flatMap(line => ('failure' in line ? [line.failure] : [])),
    isWhole: lines.some(line => 'isWhole' in line),
  };
}

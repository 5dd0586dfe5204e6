import { noTests, type Totals } from './totals.ts';

/** A line of JSON from the reporter of a test process. */
export type OutcomeLine =
  | { readonly totals: Totals }
  | { readonly failure: string }
  /** Every test has ended. */
  | { readonly isWhole: true };

/** How the tests of a process ended, as far as it came. */
export interface Outcome {
  readonly totals: Totals;
  /** A text of each failure. */
  readonly failures: readonly string[];
  /** Whether the process came to the end of its tests. */
  readonly isWhole: boolean;
}

/** Reads the lines that the reporter wrote. */
export function parseOutcome(text: string): Outcome {
  // They are the reporter's own. The last one is cut off where the process was ended.
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

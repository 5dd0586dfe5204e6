import { needsOf } from './test-files.ts';

/** Test files that run together. */
export interface Phase {
  readonly name: string;
  readonly files: readonly string[];
  /** How many files run at once. */
  readonly concurrency: number;
}

/**
 * Divides test files into phases: those that need no server, two at a time; those beside the sources that
 * need one, one after the other; the journeys, conformance and fault suites of `tests/`, one after the
 * other. Empty phases are left out.
 */
export function phasesOf(files: readonly string[]): Phase[] {
  const isSuite = (file: string) => file.startsWith('tests/');
  const phases: Phase[] = [
    { name: 'without servers', files: files.filter(file => needsOf(file).length === 0), concurrency: 2 },
    {
      name: 'with servers',
      files: files.filter(file => needsOf(file).length > 0 && !isSuite(file)),
      concurrency: 1,
    },
    { name: 'whole system', files: files.filter(isSuite), concurrency: 1 },
  ];
  return phases.filter(phase => phase.files.length > 0);
}

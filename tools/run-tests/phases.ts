import { totalmem } from 'node:os';
import { needsOf } from './test-files.ts';

/** Test files that run together. */
export interface Phase {
  readonly name: string;
  readonly files: readonly string[];
  /** How many files run at once. */
  readonly concurrency: number;
}

/** What a test of the whole system may take: Kafka, etcd, Redis and some ten services. */
const bytesOfWholeSystem = 4 * 1024 ** 3;

/**
 * Divides test files into phases: those that need no server; those beside the sources that need one; the journeys,
 * conformance and fault suites of `tests/`. Two files run at once, and three of the last phase, whose tests wait for leases
 * and deadlines much of their time; fewer where memory is short. Empty phases are left out.
 */
export function phasesOf(files: readonly string[], memoryBytes: number = totalmem()): Phase[] {
  const isSuite = (file: string) => file.startsWith('tests/');
  const room = Math.max(1, Math.floor(memoryBytes / bytesOfWholeSystem));
  const phases: Phase[] = [
    { name: 'without servers', files: files.filter(file => needsOf(file).length === 0), concurrency: 2 },
    {
      name: 'with servers',
      files: files.filter(file => needsOf(file).length > 0 && !isSuite(file)),
      concurrency: Math.min(2, room),
    },
    { name: 'whole system', files: files.filter(isSuite), concurrency: Math.min(3, room) },
  ];
  return phases.filter(phase => phase.files.length > 0);
}

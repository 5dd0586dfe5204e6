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
 * Divides test files into two phases: those that need no server, two at once; and those that do, three at once, since they wait
 * for leases and deadlines much of their time, or fewer where memory is short. Those that take long begin first. Empty
 * phases are left out.
 */
export function phasesOf(files: readonly string[], memoryBytes: number = totalmem()): Phase[] {
  const room = Math.max(1, Math.floor(memoryBytes / bytesOfWholeSystem));
  const phases: Phase[] = [
    { name: 'without servers', files: files.filter(file => needsOf(file).length === 0), concurrency: 2 },
    {
      name: 'with servers',
      files: files.filter(file => needsOf(file).length > 0).toSorted((a, b) => weightOf(b) - weightOf(a)),
      concurrency: Math.min(3, room),
    },
  ];
  return phases.filter(phase => phase.files.length > 0);
}

/** Kafka takes seconds to start; a journey through a server of its own is short. */
function weightOf(file: string): number {
  if (file.includes('.kafka.')) return 2;
  return file.startsWith('tests/journeys/') ? 0 : 1;
}

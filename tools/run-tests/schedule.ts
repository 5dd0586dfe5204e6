import { totalmem } from 'node:os';
import { needsOf } from './test-files.ts';

/** Memory of a test of the whole system: Kafka, etcd, Redis and some ten services. */
const bytesOfWholeSystem = 4 * 1024 ** 3;
const mostWorkers = 4;

/** Gives one worker its next test file; undefined at the end. */
export type NextFile = () => string | undefined;

/**
 * Divides test files among workers, as many as memory has room for. Half of them begin with the longest files and half
 * with the shortest, so that tests that keep the processors busy run beside tests that wait.
 */
export function schedule(files: readonly string[], memoryBytes: number = totalmem()): NextFile[] {
  const workers = Math.max(1, Math.min(mostWorkers, Math.floor(memoryBytes / bytesOfWholeSystem)));
  const queue = files.toSorted((a, b) => weightOf(b) - weightOf(a));
  return Array.from({ length: workers }, (_, index) =>
    index % 2 === 0 ? () => queue.shift() : () => queue.pop(),
  );
}

/** Kafka takes seconds to start, a journey through a server of its own is short, and what needs no server is shorter. */
function weightOf(file: string): number {
  if (file.includes('.kafka.')) return 3;
  if (file.startsWith('tests/journeys/')) return 1;
  return needsOf(file).length > 0 ? 2 : 0;
}

import { totalmem } from 'node:os';
import { findNeeds } from './test-files.ts';

/** Memory of a test of the whole system: Kafka, etcd, Redis and some ten services. */
const bytesOfWholeSystem = 4 * 1024 ** 3;
const mostWorkers = 4;

/** Folders whose files share a server that is slow to start: a process of its own runs the files of such a folder. */
const sharingFolders = ['tests/faults/one-form/', 'tests/journeys/two-gateways/'];

/** Gives a process its next test file; undefined at the end. */
export type NextFile = () => string | undefined;

/** Gives a worker the files of its next process; undefined at the end. */
export type NextProcess = () => NextFile | undefined;

/**
 * Divides test files among workers, as many as memory has room for. Half of them begin with the longest files and half
 * with the shortest, so that tests that keep the processors busy run beside tests that wait.
 */
export function schedule(files: readonly string[], memoryBytes: number = totalmem()): NextProcess[] {
  const workers = Math.max(1, Math.min(mostWorkers, Math.floor(memoryBytes / bytesOfWholeSystem)));
  const queue = groupFiles(files).toSorted((a, b) => estimateWeight(b) - estimateWeight(a));
  return Array.from({ length: workers }, (_, index) => createNextProcess(queue, index % 2 === 0 ? 0 : -1));
}

/** Files that one process runs without others, or one that a process may run among others. */
type FileGroup = readonly [string, ...string[]];

/** Takes groups from the beginning of the queue (0) or its end (-1). */
function createNextProcess(queue: FileGroup[], end: 0 | -1): NextProcess {
  const isSharing = (group: FileGroup | undefined) =>
    group !== undefined && findSharingFolder(group[0]) !== undefined;
  const take = () => (end === 0 ? queue.shift() : queue.pop());
  return () => {
    const group = take();
    if (group === undefined) return undefined;
    const files = [...group];
    if (isSharing(group)) return () => files.shift();
    return () => files.shift() ?? (isSharing(queue.at(end)) ? undefined : take()?.[0]);
  };
}

function groupFiles(files: readonly string[]): FileGroup[] {
  const groups = new Map<string, [string, ...string[]]>();
  for (const file of files) {
    const key = findSharingFolder(file) ?? file;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}

function findSharingFolder(file: string): string | undefined {
  return sharingFolders.find(folder => file.startsWith(folder));
}

/** A whole folder takes long; Kafka takes seconds to start, a journey is short, and what needs no server is shorter. */
function estimateWeight([file]: FileGroup): number {
  if (findSharingFolder(file) !== undefined) return 4;
  if (file.includes('.kafka.')) return 3;
  if (file.startsWith('tests/journeys/')) return 1;
  return findNeeds(file).length > 0 ? 2 : 0;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NextFile } from './schedule.ts';
import { parseTotals, type Totals } from './totals.ts';

const testTimeoutMs = 120_000;
const defaultEndTimeoutMs = 60_000;

/** How the tests of a process, or of several, ended. */
export interface TestResult {
  readonly totals: Totals;
  readonly succeeded: boolean;
}

/** Where and how test files are run. */
export interface TestWorkerOptions {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Time that a process may take to end after its last test; default: a minute. */
  readonly endTimeoutMs?: number;
  /** Takes what node:test reports of the files of a process. */
  report(text: string): void;
}

/**
 * Runs test files in one process, which loads and compiles the program once for all of them: `first`, and then what `nextFile`
 * gives, until the process ends. One that ends before its files, or not after them, is a failed test. When the signal aborts,
 * the process is asked to end.
 */
export async function runTestWorker(
  first: string,
  nextFile: NextFile,
  options: TestWorkerOptions,
): Promise<TestResult> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-tests-'));
  const totalsFile = join(directory, 'totals.json');
  try {
    const succeeded = await feed(startProcess(totalsFile, options), { first, nextFile, options });
    return { totals: readTotals(totalsFile), succeeded };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function startProcess(totalsFile: string, { root }: TestWorkerOptions): ChildProcess {
  const environment = { ...process.env };
  // It would make node:test report to a runner above it.
  delete environment['NODE_TEST_CONTEXT'];
  // What Node makes of the sources is kept: each process, and each service that a test starts, loads many of them.
  environment['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');
  const testArguments = [
    `--test-timeout=${testTimeoutMs}`,
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    `--test-reporter=${join(import.meta.dirname, 'totals-reporter.ts')}`,
    `--test-reporter-destination=${totalsFile}`,
  ];
  return spawn(process.execPath, [...testArguments, join(import.meta.dirname, 'run-files.ts')], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

interface Feeding {
  readonly first: string;
  readonly nextFile: NextFile;
  readonly options: TestWorkerOptions;
}

/** Gives a process its files one by one; true when it ended well after the last of them. */
function feed(child: ChildProcess, { first, nextFile, options }: Feeding): Promise<boolean> {
  const { signal, report, endTimeoutMs = defaultEndTimeoutMs } = options;
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  let file: string | undefined = first;
  let limit: NodeJS.Timeout | undefined;
  // What workers say at once is kept apart: whole files, or nearly so, are reported.
  const said: string[] = [];
  const flush = () => report(said.splice(0).join(''));
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk));
  const giveUp = () => {
    said.push('the process of the tests does not end: a test has left something open\n');
    child.kill('SIGKILL');
  };
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.send(first);
  child.on('message', () => {
    flush();
    file = signal.aborted ? undefined : nextFile();
    child.send(file ?? '');
    if (file === undefined) limit = setTimeout(giveUp, endTimeoutMs);
  });
  child.once('error', reject);
  child.once('close', code => {
    signal.removeEventListener('abort', stop);
    clearTimeout(limit);
    if (file !== undefined) said.push(`the process of the tests ended within ${file}\n`);
    flush();
    resolve(code === 0 && file === undefined);
  });
  return promise;
}

function readTotals(file: string): Totals {
  try {
    return parseTotals(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

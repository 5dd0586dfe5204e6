import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiNamesVariable } from '@binnacle/api-names/testing';
import type { FileCost, FileEnd, FileTime } from './file-times.ts';
import { type Outcome, parseOutcome } from './outcome.ts';
import type { NextFile } from './schedule.ts';
import { addTotals, noTests, type Totals } from './totals.ts';

const translation = pathToFileURL(join(import.meta.dirname, 'translate-tests.ts')).href;
const testTimeoutMs = 120_000;
/** The longest file takes five minutes on a busy machine; tests have a limit of their own, hooks have none. */
const fileTimeoutMs = 15 * 60_000;
const defaultEndTimeoutMs = 60_000;
/**
 * Most objects of tests are short-lived: the more room there is for new ones, the fewer are copied before they have ended.
 * Several processes keep the processors busy: threads that collect the garbage of one only wait for each other.
 */
const heapArguments = ['--min-semi-space-size=32', '--max-semi-space-size=64', '--single-threaded-gc'];
const oneFailure: Totals = { passed: 0, failed: 1, skipped: 0 };

/** The outcome of the tests of one or more processes. */
interface TestResult {
  readonly totals: Totals;
  readonly succeeded: boolean;
  /** A text of each failure. */
  readonly failures: readonly string[];
  /** The times of the files that ended. */
  readonly times: readonly FileTime[];
}

/** Options of running test files. */
export interface TestWorkerOptions {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Time that a process may take to end after its last test; default: a minute. */
  readonly endTimeoutMs?: number;
  /** Takes what node:test reports of the files of a process. */
  report(text: string): void;
}

/**
 * Runs test files in one process, which loads and compiles the program once for all of them: `first`, and then the
 * files that `nextFile` returns. A process that ends before its files, or does not end after them, is a failed test.
 * When the signal aborts, the process is asked to end.
 */
export async function runTestWorker(
  first: string,
  nextFile: NextFile,
  options: TestWorkerOptions,
): Promise<TestResult> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-tests-'));
  const outcomeFile = join(directory, 'outcome.jsonl');
  try {
    const times: FileTime[] = [];
    const end = await feed(startProcess(outcomeFile, options), { first, nextFile, times, options });
    const { totals, failures, isWhole } = readOutcome(outcomeFile);
    const isLost = end === 'lost' || !isWhole;
    // The end of a process, and a hook that fails after its tests, are not among the tests.
    const isTestBeside = isLost || (end === 'failed' && totals.failed === 0);
    return {
      totals: isTestBeside ? addTotals(totals, oneFailure) : totals,
      succeeded: end === 'passed' && !isLost,
      failures,
      times,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function startProcess(outcomeFile: string, { root }: TestWorkerOptions): ChildProcess {
  const environment = { ...process.env };
  // It would make node:test report to a runner above it.
  delete environment['NODE_TEST_CONTEXT'];
  // Node's compiled sources are kept: each process, and each service that a test starts, loads many of them.
  environment['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');
  // The processes that a test starts see it too: some are made of test code.
  if (environment[apiNamesVariable] === 'kubernetes')
    environment['NODE_OPTIONS'] = `${environment['NODE_OPTIONS'] ?? ''} --import=${translation}`.trim();
  const testArguments = [
    `--test-timeout=${testTimeoutMs}`,
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    `--test-reporter=${join(import.meta.dirname, 'outcome-reporter.ts')}`,
    `--test-reporter-destination=${outcomeFile}`,
  ];
  return spawn(
    process.execPath,
    [...heapArguments, ...testArguments, join(import.meta.dirname, 'test-process.ts')],
    {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A group of its own, which ends with it.
      detached: true,
    },
  );
}

interface Feeding {
  readonly first: string;
  readonly nextFile: NextFile;
  /** Collects the times of the files. */
  readonly times: FileTime[];
  readonly options: TestWorkerOptions;
}

/** The end of a process: every test passed, or some failed, or it ended without a report. */
type End = 'passed' | 'failed' | 'lost';

/** Gives a process its files one by one, until it has ended. */
function feed(child: ChildProcess, { first, nextFile, times, options }: Feeding): Promise<End> {
  const { signal, report, endTimeoutMs = defaultEndTimeoutMs } = options;
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  let file: string | undefined = first;
  let limit: NodeJS.Timeout | undefined;
  // Output of workers at the same time is kept apart: whole files, or nearly so, are reported.
  const said: string[] = [];
  const flush = () => report(said.splice(0).join(''));
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk));
  const limitTo = (ms: number, reason: string) => {
    clearTimeout(limit);
    limit = setTimeout(() => {
      said.push(`${reason}\n`);
      child.kill('SIGKILL');
    }, ms);
  };
  // A process that has ended meanwhile is seen at its close.
  const send = (name: string) => child.send(name, () => {});
  let givenAt = 0;
  const give = (next: string) => {
    givenAt = performance.now();
    limitTo(fileTimeoutMs, `${next} takes too long`);
    send(next);
  };
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  give(first);
  const durations = new Map<string, number>();
  child.on('message', (message: FileEnd | FileCost) => {
    if ('processorMs' in message) {
      times.push({ ...message, ms: durations.get(message.file) ?? 0 });
      return;
    }
    durations.set(message.ended, performance.now() - givenAt);
    flush();
    file = signal.aborted ? undefined : nextFile();
    if (file !== undefined) return give(file);
    limitTo(endTimeoutMs, 'the process of the tests does not end: a test has left something open');
    send('');
  });
  child.once('error', reject);
  // A process that a test has started and not ended would keep the pipes open, and the run waiting.
  child.once('exit', () => endGroup(child));
  child.once('close', code => {
    signal.removeEventListener('abort', stop);
    clearTimeout(limit);
    if (file !== undefined) said.push(`the process of the tests ended within ${file}\n`);
    flush();
    if (file !== undefined || code === null) resolve('lost');
    else resolve(code === 0 ? 'passed' : 'failed');
  });
  return promise;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // As a rule nothing is left.
  }
}

function readOutcome(file: string): Outcome {
  try {
    return parseOutcome(readFileSync(file, 'utf8'));
  } catch {
    return { totals: noTests, failures: [], isWhole: false };
  }
}

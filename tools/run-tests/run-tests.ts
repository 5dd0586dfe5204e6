import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type FileTime, reportTimes } from './file-times.ts';
import { type NextFile, type NextProcess, schedule } from './schedule.ts';
import { findTestFiles, needsInstallation, type TestSelection } from './test-files.ts';
import { runTestWorker, type TestWorkerOptions } from './test-worker.ts';
import { addTotals, noTests, type Totals, totalsLine } from './totals.ts';

/** Most lines of a failure that is repeated at the end: its message and place; the whole one stands above. */
const mostLinesOfFailure = 30;

/** The tests to run, and the way to report on them. */
interface TestRun extends TestSelection, TestWorkerOptions {
  /** Number of the slowest files that are printed; default: 25 in a run of many files, else none. */
  readonly timesPrinted?: number;
  print(line: string): void;
}

/**
 * Runs the selected tests, after the servers that they need are installed, in a few processes, each of which takes the
 * next file when it has ended one. Failures are repeated at the end, and the last line printed holds the totals. True
 * when at least one test ran and none failed.
 */
export async function runTests(run: TestRun): Promise<boolean> {
  const files = findTestFiles(run.root, run);
  installNeeds(run.root, files);
  const startedAt = performance.now();
  run.print(`${files.length} files`);
  let totals: Totals = noTests;
  let succeeded = true;
  const failures: string[] = [];
  const times: FileTime[] = [];
  const runProcess = async (nextFile: NextFile) => {
    // A process that ends before its files is followed by another one for the rest.
    for (let file = nextFile(); file !== undefined && !run.signal.aborted; file = nextFile()) {
      const result = await runTestWorker(file, nextFile, run);
      totals = addTotals(totals, result.totals);
      succeeded &&= result.succeeded;
      failures.push(...result.failures);
      times.push(...result.times);
    }
  };
  const runWorker = async (nextProcess: NextProcess) => {
    for (let files = nextProcess(); files !== undefined && !run.signal.aborted; files = nextProcess())
      await runProcess(files);
  };
  await Promise.all(schedule(files).map(runWorker));
  for (const line of reportTimes(times, run.timesPrinted)) run.print(line);
  for (const failure of failures) run.print(firstLines(failure));
  const ran = totals.passed + totals.failed > 0;
  run.print(ran ? `${Math.round((performance.now() - startedAt) / 1000)} s` : 'no tests were run');
  run.print(totalsLine(totals));
  return succeeded && ran && totals.failed === 0 && !run.signal.aborted;
}

function firstLines(failure: string): string {
  return failure.split('\n').slice(0, mostLinesOfFailure).join('\n');
}

function installNeeds(root: string, files: readonly string[]): void {
  // A suffix names the main need; the test may start the other servers besides.
  if (files.some(needsInstallation)) install(root, 'deploy/backends/install.ts');
  if (files.some(file => /^tests\/.*\bclients\b/.test(file))) install(root, 'tests/clients/install.ts');
}

function install(root: string, file: string): void {
  const { status } = spawnSync(process.execPath, [join(root, file)], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`what the tests need could not be installed: ${file} failed`);
}

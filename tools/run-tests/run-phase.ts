import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Phase } from './phases.ts';
import { parseTotals, type Totals } from './totals.ts';

const testTimeoutMs = 120_000;

/** How a phase ended. */
export interface PhaseResult {
  readonly totals: Totals;
  readonly succeeded: boolean;
}

/** Where and how a phase is run. */
export interface PhaseRun {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Where the report of node's runner goes. */
  readonly report: 'inherit' | 'ignore';
}

/**
 * Runs a phase's files with node's test runner. A runner that ends
 * without totals counts as one failed test. When the signal aborts, the runner is asked to end.
 */
export async function runPhase(phase: Phase, run: PhaseRun): Promise<PhaseResult> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-tests-'));
  const totalsFile = join(directory, 'totals.json');
  try {
    const succeeded = await runNode([...runnerArguments(phase, totalsFile), ...phase.files], run);
    return { totals: readTotals(totalsFile), succeeded };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function runnerArguments(phase: Phase, totalsFile: string): string[] {
  return [
    '--test',
    `--test-concurrency=${phase.concurrency}`,
    `--test-timeout=${testTimeoutMs}`,
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    `--test-reporter=${join(import.meta.dirname, 'totals-reporter.ts')}`,
    `--test-reporter-destination=${totalsFile}`,
  ];
}

function runNode(args: readonly string[], { root, signal, report }: PhaseRun): Promise<boolean> {
  const environment = { ...process.env };
  // It would make the runner report to a runner above it instead of running files.
  delete environment['NODE_TEST_CONTEXT'];
  // What Node makes of the sources is kept: each file, and each service that it starts, loads many of them.
  environment['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', report, report],
    });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('exit', code => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0);
    });
  });
}

function readTotals(file: string): Totals {
  try {
    return parseTotals(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './measure/describe-machine.ts';
import type { BenchReport } from './report/bench-report.ts';
import { ProgressBar } from './report/progress-bar.ts';
import { runScenarios } from './run-scenarios.ts';
import type { Settings } from './scenarios/scenario.ts';
import type { MeasuredServer } from './server/measured-server.ts';

/** The measurements of one form. */
interface FormMeasurement {
  /** Names of scenarios; empty: all that the form can run. */
  readonly only: readonly string[];
  readonly settings: Settings;
  /** Starts the server in a directory of its own, which is removed afterwards. */
  start(directory: string): Promise<MeasuredServer>;
}

/** Starts a form, runs the scenarios on it, and stops it. */
export async function measureForm({ only, settings, start }: FormMeasurement): Promise<BenchReport> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const server = stack.use(await start(directory));
  const bar = new ProgressBar();
  const startedAt = new Date().toISOString();
  const results = await runScenarios(only, {
    target: server.target,
    writeTarget: server.writeTarget,
    plain: server.plain,
    pids: server.pids,
    gateway: server.gateway,
    settings,
    progress: (name, done, total) => bar.update(`${server.form} ${name}`, done, total),
  });
  bar.clear();
  return { startedAt, form: server.form, machine: describeMachine(), settings, results };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from './load/connect.ts';
import { describeMachine } from './measure/describe-machine.ts';
import type { BenchReport } from './report/bench-report.ts';
import { ProgressBar } from './report/progress-bar.ts';
import { scenarios } from './scenarios/all-scenarios.ts';
import type { ScenarioContext, ScenarioResult, Settings } from './scenarios/scenario.ts';
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

/** Runs the scenarios that are named, or all; the one that creates the objects always comes first. */
async function runScenarios(only: readonly string[], context: ScenarioContext): Promise<ScenarioResult[]> {
  const unknown = only.filter(name => !scenarios.some(scenario => scenario.name === name));
  if (unknown.length > 0) throw new Error(`no scenario is called ${unknown.join(', ')}`);
  await createNamespace(context);
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    if (only.length > 0 && scenario.name !== 'create' && !only.includes(scenario.name)) continue;
    if (scenario.canRun?.(context) ?? true) results.push(await scenario.run(context));
  }
  return results;
}

async function createNamespace({ target }: ScenarioContext): Promise<void> {
  const connection = connect(target, 1);
  const body = Buffer.from(
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } }),
  );
  const response = await connection.request({ method: 'POST', path: '/api/v1/namespaces', body });
  response.resume();
  connection.close();
  const code = response.statusCode ?? 0;
  if (code !== 201 && code !== 409) throw new Error(`the namespace for the load was answered with ${code}`);
}

import { connect } from './load/connect.ts';
import { scenarios } from './scenarios/all-scenarios.ts';
import type { ScenarioContext, ScenarioResult } from './scenarios/scenario.ts';

/** Runs the scenarios that are named, or all; the one that creates the objects always comes first. */
export async function runScenarios(
  only: readonly string[],
  context: ScenarioContext,
): Promise<ScenarioResult[]> {
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

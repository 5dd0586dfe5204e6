import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { phasesOf } from './phases.ts';
import { runPhase } from './run-phase.ts';
import { findTestFiles, needsInstallation, type TestSelection } from './test-files.ts';
import { addTotals, noTests, totalsLine } from './totals.ts';

/** What to run and how to speak of it. */
export interface TestRun extends TestSelection {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Where the report of node's runner goes. */
  readonly report: 'inherit' | 'ignore';
  print(line: string): void;
}

/**
 * Runs the selected tests phase by phase, after the servers that they need are installed. The last line
 * printed holds the totals over all phases. True when at least one test ran and none failed.
 */
export async function runTests(run: TestRun): Promise<boolean> {
  const files = findTestFiles(run.root, run);
  installNeeds(run.root, files);
  let totals = noTests;
  let succeeded = true;
  for (const phase of phasesOf(files)) {
    if (run.signal.aborted) break;
    run.print(`\n${phase.name}: ${phase.files.length} files`);
    const startedAt = performance.now();
    const result = await runPhase(phase, run);
    run.print(`${phase.name}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
    totals = addTotals(totals, result.totals);
    succeeded &&= result.succeeded;
  }
  const ran = totals.passed + totals.failed > 0;
  if (!ran) run.print('no tests were run');
  run.print(totalsLine(totals));
  return succeeded && ran && totals.failed === 0 && !run.signal.aborted;
}

function installNeeds(root: string, files: readonly string[]): void {
  // A suffix names the main need; the test may start the other servers besides.
  if (files.some(needsInstallation)) install(root, 'deploy/backends/install.ts');
  if (files.some(file => file.startsWith('tests/clients/'))) install(root, 'tests/clients/install.ts');
}

function install(root: string, file: string): void {
  const { status } = spawnSync(process.execPath, [join(root, file)], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`what the tests need could not be installed: ${file} failed`);
}

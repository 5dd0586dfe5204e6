import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import type { TestResult } from './results-reporter.ts';

/** The forms that the suite runs against, and the test file of each. */
export const forms = {
  standalone: 'tests/conformance/standalone.test.ts',
  distributed: 'tests/conformance/distributed.kafka.test.ts',
} as const;

/** One of them. */
export type Form = keyof typeof forms;

/** Whether each test of a run passed, by its title. A test that was not run is absent. */
export type Results = ReadonlyMap<string, boolean>;

/** Runs the suite against a form; the report of node's runner goes to standard output. */
export async function runForm(form: Form): Promise<Results> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-spec-coverage-'));
  const file = join(directory, 'results.jsonl');
  try {
    await runNode([
      '--test',
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      `--test-reporter=${join(import.meta.dirname, 'results-reporter.ts')}`,
      `--test-reporter-destination=${file}`,
      forms[form],
    ]);
    return parseResults(readFileSync(file, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Reads what the reporter wrote. */
export function parseResults(text: string): Results {
  const lines = text.split('\n').filter(line => line !== '');
  const results = lines.map(line => JSON.parse(line) as TestResult); // The reporter writes JSON of this shape.
  return new Map(results.map(({ title, passed }) => [title, passed]));
}

// A run with failed tests has results too.
function runNode(args: readonly string[]): Promise<void> {
  const environment = { ...process.env };
  // It would make the runner report to a runner above it instead of running files.
  delete environment['NODE_TEST_CONTEXT'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: repositoryDirectory,
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

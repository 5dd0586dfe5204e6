import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const kit = fileURLToPath(new URL('../index.ts', import.meta.url));
const flags = fileURLToPath(import.meta.resolve('@binnacle/flags'));

const head = `
  import { runService } from ${JSON.stringify(kit)};
  import { parseFlags, stringFlag } from ${JSON.stringify(flags)};
  const keepAlive = setInterval(() => {}, 1000);
`;

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program; sends a signal each time that a line appears on its standard output. */
async function run(program: string, signal?: NodeJS.Signals, args: string[] = []): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['--input-type=module-typescript', '-e', head + program, '--', 'program', ...args],
    { timeout: 15_000, killSignal: 'SIGKILL' },
  );
  const outcome = { stdout: '', stderr: '' };
  child.stdout.on('data', chunk => {
    outcome.stdout += chunk;
    if (signal) child.kill(signal);
  });
  child.stderr.on('data', chunk => {
    outcome.stderr += chunk;
  });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { code, ...outcome };
}

test('a service says when it is ready, and stops on SIGTERM with code 0', async () => {
  const { code, stdout } = await run(
    `await runService({ name: 'x', start: async () => ({ readyLine: 'x serves', stop: async () => { process.stderr.write('stopped'); } }) });`,
    'SIGTERM',
  );
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'x serves\n' });
});

test('a second signal ends the process at once', async () => {
  const { code } = await run(
    `await runService({ name: 'x', start: async () => ({ stop: () => { process.stdout.write('again\\n'); return new Promise(() => {}); } }) });`,
    'SIGINT',
  );
  assert.equal(code, 130);
});

const failures: {
  name: string;
  program: string;
  signal?: NodeJS.Signals;
  args?: string[];
  code: number;
  stderr: RegExp;
}[] = [
  {
    name: 'a stop that takes too long is cut off',
    program: `await runService({ name: 'x', stopTimeoutMs: 50, start: async () => ({ stop: () => new Promise(() => {}) }) });`,
    signal: 'SIGTERM',
    code: 1,
    stderr: /took longer than 50 ms/,
  },
  {
    name: 'a start that fails',
    program: `await runService({ name: 'x', start: async () => { throw new Error('port taken'); } });`,
    code: 1,
    stderr: /port taken/,
  },
  {
    name: 'a service that fails later',
    program: `await runService({ name: 'x', start: async () => ({ ended: Promise.reject(new Error('lost the lease')), stop: async () => {} }) });`,
    code: 1,
    stderr: /lost the lease/,
  },
  {
    name: 'an unhandled rejection',
    program: `await runService({ name: 'x', start: async () => { Promise.reject(new Error('forgotten')); return { stop: async () => {} }; } });`,
    code: 1,
    stderr: /forgotten/,
  },
  {
    name: 'a bad command line',
    program: `await runService({ name: 'x', start: async () => { parseFlags({ a: stringFlag({ description: 'A.' }) }); return { stop: async () => {} }; } });`,
    args: ['--b'],
    code: 2,
    stderr: /^x: unknown flag --b; see --help\n$/,
  },
];

for (const { name, program, signal, args, code, stderr } of failures) {
  test(`${name}: exit code ${code} and a reason`, async () => {
    const outcome = await run(program, signal, args);
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, stderr);
  });
}

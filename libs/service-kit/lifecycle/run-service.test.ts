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

interface RunOptions {
  readonly signal?: NodeJS.Signals;
  readonly args?: string[];
  readonly env?: Record<string, string>;
}

/** Runs a program; sends it a signal for each line on its standard output. */
async function run(
  program: string,
  { signal, args = [], env = { BINNACLE_LOG_FORMAT: 'text' } }: RunOptions = {},
): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['--input-type=module-typescript', '-e', head + program, '--', 'program', ...args],
    { timeout: 15_000, killSignal: 'SIGKILL', env: { ...process.env, ...env } },
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

test('a service logs when it is ready, and stops on SIGTERM with code 0', async () => {
  const { code, stdout } = await run(
    `await runService({ name: 'x', start: async () => ({ readyLine: 'x serves', stop: async () => { process.stderr.write('stopped'); } }) });`,
    { signal: 'SIGTERM' },
  );
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'x serves\n' });
});

test('a second signal ends the process at once', async () => {
  const { code } = await run(
    `await runService({ name: 'x', start: async () => ({ stop: () => { process.stdout.write('again\\n'); return new Promise(() => {}); } }) });`,
    { signal: 'SIGINT' },
  );
  assert.equal(code, 130);
});

const failures: {
  name: string;
  program: string;
  signal?: NodeJS.Signals;
  args?: string[];
  env?: Record<string, string>;
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
  {
    name: 'a bad command line, in a pipe',
    program: `await runService({ name: 'x', start: async () => { parseFlags({ a: stringFlag({ description: 'A.' }) }); return { stop: async () => {} }; } });`,
    args: ['--b'],
    env: {},
    code: 2,
    stderr: /^{"time":"[^"]+","level":"error","message":"unknown flag --b; see --help","service":"x"}\n$/,
  },
  {
    name: 'a start that is refused, in a pipe',
    program: `const { Refusal } = await import('@binnacle/backend-access'); await runService({ name: 'x', start: async () => { throw new Refusal('port taken'); } });`,
    env: {},
    code: 1,
    stderr: /^{"time":"[^"]+","level":"error","message":"port taken","service":"x"}\n$/,
  },
  {
    name: 'a file that cannot be read',
    program: `await runService({ name: 'x', start: async () => { await (await import('node:fs/promises')).readFile('/none'); } });`,
    code: 1,
    stderr: /^x: ENOENT: no such file or directory, open '\/none'\n$/,
  },
  {
    name: 'a failure that nothing explains, in a pipe',
    program: `await runService({ name: 'x', start: async () => { process.emitWarning('strange'); await new Promise(setImmediate); throw new Error('a bug'); } });`,
    env: {},
    code: 1,
    stderr:
      /^{[^\n]*"level":"warn","message":"strange"[^\n]*}\n{[^\n]*"the service failed"[^\n]*"error":"Error: a bug\\n[^\n]*}\n$/,
  },
];

for (const { name, program, code, stderr, ...options } of failures) {
  test(`${name}: exit code ${code} and a reason`, async () => {
    const outcome = await run(program, options);
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, stderr);
  });
}

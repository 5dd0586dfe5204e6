import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { askToRestart, controlSocketFile, serveControlSocket } from './control-socket.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-control-'));
mkdirSync(join(directory, 'run'));
after(() => rmSync(directory, { recursive: true, force: true }));

const restart = async (name: string): Promise<string> => {
  if (name !== 'gateway-1') throw new Error(`there is no process ${name}: there are gateway-1`);
  return 'gateway-1 is ready';
};

test('a restart is requested by name, and the answer says that it is done or why it failed', async () => {
  await using _ = await serveControlSocket(controlSocketFile(directory), restart);
  assert.equal(await askToRestart(directory, 'gateway-1'), 'gateway-1 is ready');
  await assert.rejects(askToRestart(directory, 'gateway-9'), /no process gateway-9: there are gateway-1/);
  await assert.rejects(askToRestart(directory, 'x'.repeat(1000)), /has ended|ECONNRESET|EPIPE/);
});

test('only the owner of the data folder may connect', async () => {
  await using _ = await serveControlSocket(controlSocketFile(directory), restart);
  assert.equal(statSync(controlSocketFile(directory)).mode & 0o777, 0o600);
});

test('a request fails with a clear message where no form runs', async () => {
  await assert.rejects(askToRestart(directory, 'gateway-1'), /no distributed form runs on/);
});

test('make restart passes the name on and exits with the result of the restart', async () => {
  await using _ = await serveControlSocket(controlSocketFile(directory), restart);
  const program = join(import.meta.dirname, 'restart-pod.ts');
  const run = (...names: string[]) =>
    promisify(execFile)(process.execPath, [program, ...names.map(name => `--pod=${name}`)], {
      env: { ...process.env, BINNACLE_DATA_DIR: directory },
      timeout: 60_000,
    });
  assert.equal((await run('gateway-1')).stdout, 'gateway-1 is ready\n');
  await assert.rejects(run('gateway-2'), /there is no process gateway-2/);
  await assert.rejects(run(), /POD names the process/);
});

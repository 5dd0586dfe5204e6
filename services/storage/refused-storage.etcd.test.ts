import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { lockedPrefix, useLockedEtcd } from './test-drivers/locked-etcd.ts';

const locked = useLockedEtcd();

test('a storage process with a wrong password is not ready, logs the reason once, and recovers without a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-refused-storage-'));
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, 'wrong\n');
  const files = locked().findFiles('storage');
  const logFile = join(directory, 'storage.log');
  const url = `http://127.0.0.1:${operationsPort}`;
  const ask = async () => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: await response.text() };
  };
  await using _storage = await startManagedProcess({
    name: 'storage-1',
    command: process.execPath,
    arguments: [
      join(import.meta.dirname, 'main.ts'),
      ...['--insecure', `--port=${port}`, `--operations-port=${operationsPort}`],
      ...[`--etcd-endpoints=${locked().server.endpoint}`, `--etcd-prefix=${lockedPrefix}`],
      ...[`--etcd-cafile=${files.caFile}`, `--etcd-certfile=${files.certFile}`],
      ...[`--etcd-keyfile=${files.keyFile}`, '--etcd-username=storage'],
      `--etcd-password-file=${passwordFile}`,
    ],
    logFile,
    ready: signal => pollUntil('storage to answer', async () => (await ask()).status > 0, { signal }),
  });
  const refusal = 'etcd refuses the credentials of this service';
  // The election meets the refusal every second as well: enough rounds for it to be told again, if it were.
  for (let round = 0; round < 3; round++) {
    const { status, body } = await ask();
    assert.equal(status, 500);
    assert.match(body, new RegExp(`^\\[-\\]backend failed: ${refusal}$`, 'm'));
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
  const linesWith = (text: string) =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter(line => line.includes(text));
  const told = linesWith(refusal).map(line => (JSON.parse(line) as { message: string }).message);
  assert.deepEqual(told.toSorted(), ['a health check failed', refusal].toSorted());
  assert.deepEqual(linesWith('"wrong"'), []);
  await writeFile(passwordFile, 'password\n');
  await pollUntil('storage to be ready', async () => (await ask()).status === 200);
  assert.equal(linesWith('etcd accepts this service again').length, 1);
  rmSync(directory, { recursive: true });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort, pollUntil, startManagedProcess, startRedis } from '@binnacle/backends';
import { createPki } from '@binnacle/tls';
import { keyPrefix } from './decision-cache/shared-cache.ts';

test('a token-review process that Redis refuses is not ready and logs the reason once, and it is ready without Redis', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-refused-redis-'));
  const clients = [{ name: 'token-review', commonName: 'token-review' }];
  const pki = await createPki(directory, { backends: [{ name: 'redis', clients }] });
  const filesIn = (folder: string) => ({
    caFile: join(folder, 'ca.crt'),
    certFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
  });
  const users = [{ name: 'token-review', password: 'good', keyPrefix, commands: ['get', 'set'] }];
  const tls = filesIn(pki.backendServerDirectory('redis'));
  await using redis = await startRedis({ security: { tls, users } });
  const files = filesIn(pki.backendClientDirectory('redis', 'token-review'));
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, 'hunter2');
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const logFile = join(directory, 'token-review.log');
  const ask = async (query = '') => {
    const response = await fetch(`http://127.0.0.1:${operationsPort}/readyz${query}`);
    return { status: response.status, body: await response.text() };
  };
  await using _service = await startManagedProcess({
    name: 'token-review-1',
    command: process.execPath,
    arguments: [
      join(import.meta.dirname, 'main.ts'),
      ...['--insecure', `--port=${port}`, `--operations-port=${operationsPort}`],
      ...[`--redis-url=${redis.url}`, `--redis-ca-file=${files.caFile}`],
      ...[`--redis-cert-file=${files.certFile}`, `--redis-key-file=${files.keyFile}`],
      ...['--redis-username=token-review', `--redis-password-file=${passwordFile}`],
    ],
    logFile,
    ready: signal => pollUntil('an answer', async () => (await ask()).status > 0, { signal }),
  });
  const refusal = 'redis refuses the credentials of this service';
  for (let round = 0; round < 3; round++) {
    const { status, body } = await ask();
    assert.equal(status, 500);
    assert.match(body, new RegExp(`^\\[-\\]redis failed: ${refusal}$`, 'm'));
  }
  const log = () => readFileSync(logFile, 'utf8');
  const errors = log()
    .split('\n')
    .filter(line => line.includes(`"message":"${refusal}","service"`));
  assert.equal(errors.length, 1, log());
  assert.doesNotMatch(log(), /hunter2/);
  writeFileSync(passwordFile, 'good');
  await pollUntil('it to be ready', async () => (await ask()).status === 200);
  assert.match((await ask('?verbose')).body, /^\[\+\]shared-decisions ok$/m);
  await redis.kill();
  await pollUntil('the loss to be seen', () => log().includes('Redis is unreachable'));
  const away = await ask('?verbose');
  assert.equal(away.status, 200);
  assert.match(away.body, /^\[-\]shared-decisions failed, not required: reason withheld$/m);
  rmSync(directory, { recursive: true });
});

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataDirectory } from './data-directory.ts';
import { withInstallLock } from './install-lock.ts';

const data = createDataDirectory('install-lock', undefined);
test.after(() => data.remove());

test('two actions under one lock never overlap', async () => {
  let running = 0;
  const action = () =>
    withInstallLock(data.path, async () => {
      running++;
      await delay(50);
      assert.equal(running, 1);
      running--;
    });
  await Promise.all([action(), action(), action()]);
});

test('the lock of a dead process is taken over', async () => {
  const lockFile = join(data.path, 'install.lock');
  writeFileSync(lockFile, '2147483646');
  assert.equal(await withInstallLock(data.path, async () => 'done'), 'done');
  assert.ok(!existsSync(lockFile));
});

test('a failed action releases the lock', async () => {
  const failing = withInstallLock(data.path, async () => {
    throw new Error('no wind');
  });
  await assert.rejects(failing, /no wind/);
  assert.equal(await withInstallLock(data.path, async () => 'done'), 'done');
});

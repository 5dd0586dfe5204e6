import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNameServiceCheck } from './name-service-check.ts';

const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

test('a name service that does not know a name is available, one that does not answer is not', async () => {
  await createNameServiceCheck(async () => '127.0.0.1')();
  await createNameServiceCheck(failing('ENOTFOUND'))();
  for (const code of ['EAI_AGAIN', 'ECONNREFUSED'])
    await assert.rejects(createNameServiceCheck(failing(code)), { code });
});

test('concurrent checks share a slow lookup', async () => {
  let lookups = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = createNameServiceCheck(async () => {
    lookups++;
    await promise;
  });
  const checks = [check(), check()];
  resolve();
  await Promise.all(checks);
  await check();
  assert.equal(lookups, 2);
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { readVerificationKeys, replaceKeys } from './verification-keys.ts';

function createPem(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

const ids = (keys: Awaited<ReturnType<typeof readVerificationKeys>>) =>
  keys
    .all()
    .map(({ kid }) => kid)
    .toSorted();

test('the keys of a set are replaced: those that go verify nothing, those that stay are the same', async () => {
  const [first, second, third] = [createPem(), createPem(), createPem()];
  const keys = await readVerificationKeys([first, second]);
  const [kept = ''] = ids(await readVerificationKeys([second]));
  const before = keys.get(kept);
  await replaceKeys(keys, [`${second}\n${third}`]);
  assert.deepEqual(ids(keys), ids(await readVerificationKeys([second, third])));
  assert.equal(keys.get(kept), before);
});

test('files without a key change nothing', async () => {
  const keys = await readVerificationKeys([createPem()]);
  const before = ids(keys);
  await assert.rejects(replaceKeys(keys, ['nothing']), /no key/);
  await assert.rejects(replaceKeys(keys, []), /no service-account key file/);
  assert.deepEqual(ids(keys), before);
});

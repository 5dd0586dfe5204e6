import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Storage } from '@binnacle/storage-contract';
import { encryptedStorage } from '../encryption/encrypted-storage.ts';
import { createKeyedTransformer } from '../encryption/keyed-transformer.ts';
import { fillStore, makeTestFolder, putValues, readValues } from '../test-drivers/stored-samples.ts';
import { placeEmbedded } from './test-drivers/placed-stores.ts';
import { registerRestoreTests, restoreInto } from './test-drivers/restore-tests.ts';

registerRestoreTests('embedded to embedded', placeEmbedded, placeEmbedded);

test('a restore into a folder in use is refused', async () => {
  const file = join(await makeTestFolder(), 'a.backup');
  const [source, target] = [await placeEmbedded(), await placeEmbedded()];
  await using storage = await source.open();
  await fillStore(storage, 1);
  await source.backUp(file);
  await using _open = await target.open();
  await assert.rejects(restoreInto(target, file), /the data directory .* is in use by process/);
});

test('a folder without a store, or with an empty one, cannot be backed up', async () => {
  const file = join(await makeTestFolder(), 'a.backup');
  const place = await placeEmbedded();
  await assert.rejects(place.backUp(file), /there is no store in/);
  await using _storage = await place.open();
  await assert.rejects(place.backUp(file), /the store is empty/);
});

test('encrypted values are in the backup as they are stored, and are read in the restored store', async () => {
  const file = join(await makeTestFolder(), 'a.backup');
  const [source, target] = [await placeEmbedded(), await placeEmbedded()];
  const transformer = createKeyedTransformer('aesgcm', [{ name: 'a', secret: Buffer.alloc(32, 1) }]);
  const encrypting = (storage: Storage): Storage =>
    encryptedStorage({
      storage,
      transformerOf: prefix => (prefix === '/core/secrets/' ? transformer : undefined),
      onUnreadable: assert.fail,
    });
  await using storage = await source.open();
  await fillStore(storage, 3);
  await putValues(encrypting(storage), { '/core/secrets/default/a': Buffer.from('the value') });
  await source.backUp(file);
  await restoreInto(target, file);
  await using restored = await target.open();
  const stored = await readValues(restored, '/core/secrets/');
  assert.deepEqual(stored, await readValues(storage, '/core/secrets/'));
  assert.match([...stored.values()].join(), /^k8s:enc:aesgcm:v1:a:/);
  const read = await readValues(encrypting(restored), '/core/secrets/');
  assert.deepEqual([...read.values()], ['the value']);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fillStore, makeTestFolder } from '../test-drivers/stored-samples.ts';
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

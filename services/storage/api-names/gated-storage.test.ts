import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { vocabularies, vocabulary } from '@binnacle/api-names';
import { deadlineIn } from '@binnacle/proto';
import { ApiNamesRefusal } from '@binnacle/rpc';
import {
  apiNamesKey,
  isStorageError,
  type Storage,
  StorageError,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { encodeApiNames } from './api-names-record.ts';
import { gatedStorage } from './gated-storage.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-gate-'));
after(() => rm(directory, { recursive: true, force: true }));
const [other = vocabulary] = vocabularies.filter(name => name !== vocabulary);
const key = storageKeyFrom('/core/configmaps/default/a');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });
let stores = 0;

/** A store that cannot be reached until it is told so. */
async function openedLater() {
  const store = await openEmbeddedStorage({ directory: join(directory, `${stores++}`) });
  const reach = { isThere: false };
  const get: Storage['get'] = async (...asked) => {
    if (!reach.isThere) throw new StorageError('unavailable', 'nothing is there');
    return await store.get(...asked);
  };
  const gated = gatedStorage({ storage: { ...store, get }, log: silentLogger, configured: () => undefined });
  return { store, reach, gated };
}

test('calls fail while the store is unreachable, and succeed as soon as it is reachable', async () => {
  const { store, reach, gated } = await openedLater();
  await using _store = store;
  const settled = gated.settle(new AbortController().signal);
  await assert.rejects(gated.storage.list({ prefix: key }, call()), /nothing is there/);
  reach.isThere = true;
  const puts = [{ key, value: Buffer.from('a') }];
  const { committed } = await gated.storage.transact({ preconditions: [], puts, deletes: [] }, call());
  assert.ok(committed);
  await settled;
  for await (const { changes } of gated.storage.changes({ from: 'window-start' }, call())) {
    assert.deepEqual(changes, []);
    break;
  }
  assert.equal((await gated.storage.get(key, call())).record?.key, key);
});

test('a late store with other names is neither served nor changed', async () => {
  const { store, reach, gated } = await openedLater();
  await using _store = store;
  const names = [{ key: apiNamesKey, value: encodeApiNames({ apiNames: other }) }];
  await store.transact({ preconditions: [], puts: names, deletes: [] }, call());
  const settled = gated.settle(new AbortController().signal);
  settled.catch(() => {});
  reach.isThere = true;
  const refused = (thrown: unknown) => {
    assert.ok(isStorageError(thrown, 'unavailable'));
    assert.ok(thrown.cause instanceof ApiNamesRefusal);
    assert.match(thrown.message, new RegExp(`^the store has --api-names=${other}`));
    return true;
  };
  const puts = [{ key, value: Buffer.from('a') }];
  await assert.rejects(gated.storage.get(key, call()), refused);
  await assert.rejects(gated.storage.list({ prefix: key }, call()), refused);
  await assert.rejects(gated.storage.typeRevision(undefined, call()), refused);
  await assert.rejects(gated.storage.compact(1, call()), refused);
  await assert.rejects(gated.storage.transact({ preconditions: [], puts, deletes: [] }, call()), refused);
  await assert.rejects(async () => {
    for await (const _ of gated.storage.changes({ from: 'window-start' }, call()));
  }, refused);
  await assert.rejects(settled, ApiNamesRefusal);
  assert.equal((await store.get(key, call())).record, undefined);
});

test('the wait for the store ends with the signal', async () => {
  const { store, gated } = await openedLater();
  await using _store = store;
  const stop = new AbortController();
  const settled = gated.settle(stop.signal);
  stop.abort();
  await settled;
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { isStorageError, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { useSharedEtcd } from '../../test-drivers/shared-etcd.ts';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';
import { encodeFloor, revisionFloorKey } from './moved-revisions.ts';

const etcd = useSharedEtcd();
const floor = Date.now() * 1000;
let prefixes = 0;

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });

async function openRestored(): Promise<{ readonly storage: Storage } & AsyncDisposable> {
  const connection = connectEtcd({ endpoints: [etcd().endpoint], prefix: `/moved-${prefixes++}` });
  await createEtcdStorage(connection).transact(
    { preconditions: [], puts: [{ key: revisionFloorKey, value: encodeFloor(floor) }], deletes: [] },
    call(),
  );
  return {
    storage: createEtcdStorage(connection),
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
}

registerStorageContractTests('etcd behind a revision floor', openRestored);

test('revisions before a restore are compacted, and no key has a state at them', async () => {
  await using opened = await openRestored();
  const { storage } = opened;
  const key = storageKeyFrom('/core/configmaps/default/a');
  const put = (revision: number) =>
    storage.transact(
      { preconditions: [{ key, revision }], puts: [{ key, value: Buffer.from('a') }], deletes: [] },
      call(),
    );
  const { committed, revision } = await put(0);
  assert.ok(committed);
  assert.ok(revision > floor, `${revision}`);
  for (const before of [1, 128, 1_000_000, floor]) {
    const prefix = storageKeyFrom('/core/configmaps/');
    const isCompacted = (thrown: unknown) => isStorageError(thrown, 'compacted');
    await assert.rejects(storage.list({ prefix, atRevision: before }, call()), isCompacted, `${before}`);
    const following = storage.changes({ after: before }, call())[Symbol.asyncIterator]();
    await assert.rejects(async () => await following.next(), isCompacted, `${before}`);
    const refused = await put(before);
    assert.equal(refused.committed, false);
    assert.deepEqual(!refused.committed && refused.current?.revision, revision);
    await storage.compact(before, call());
  }
  assert.equal(await storage.typeRevision(storageKeyFrom('/core/secrets/'), call()), 0);
  assert.equal(await storage.typeRevision(storageKeyFrom('/core/configmaps/'), call()), revision);
});

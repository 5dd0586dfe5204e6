import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDeadline } from '@binnacle/proto';
import { type Storage, StorageError, storageKeyFrom } from '@binnacle/storage-contract';
import { createStorageHandlers } from './storage-handlers.ts';

const call = { signal: new AbortController().signal, deadline: noDeadline };
const unused = () => assert.fail('not called');

/** Handlers over a store of which one method is there, with the revisions that were reported. */
function handlersOf(parts: Partial<Storage>) {
  const store = {
    get: unused,
    list: unused,
    transact: unused,
    typeRevision: unused,
    changes: unused,
    compact: unused,
  };
  const reported: number[] = [];
  return {
    reported,
    handlers: createStorageHandlers({ ...store, ...parts }, revision => reported.push(revision)),
  };
}

test('every type revision returned is reported', async () => {
  const asked: unknown[] = [];
  const { reported, handlers } = handlersOf({ typeRevision: async prefix => asked.push(prefix) * 10 });
  assert.deepEqual(await handlers.typeRevision({ typePrefix: '/core/pods/' }, call), { revision: 10 });
  assert.deepEqual(await handlers.typeRevision({ typePrefix: '' }, call), { revision: 20 });
  assert.deepEqual(asked, [storageKeyFrom('/core/pods/'), undefined]);
  assert.deepEqual(reported, [10, 20]);
});

test("the store's errors keep their meaning, and report no revision", async () => {
  const typeRevision = () => Promise.reject(new StorageError('unavailable', 'the store is away'));
  const { reported, handlers } = handlersOf({ typeRevision });
  await assert.rejects(handlers.typeRevision({ typePrefix: '' }, call), { reason: 'ServiceUnavailable' });
  assert.deepEqual(reported, []);
});

test('a malformed request is the fault of its caller', async () => {
  const { handlers } = handlersOf({});
  await assert.rejects(handlers.get({ key: 'no key' }, call), { reason: 'BadRequest', code: 400 });
});

test('a stack that overflows is no malformed request', async () => {
  const recurse = (): number => recurse() + 1;
  const { handlers } = handlersOf({ compact: async () => void recurse() });
  await assert.rejects(handlers.compact({ revision: 1 }, call), { name: 'RangeError' });
});

test('a stream of changes that fails ends with the error that stands for it', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first batch.
  async function* changes(): AsyncGenerator<never> {
    throw new StorageError('compacted', 'too old');
  }
  const { handlers } = handlersOf({ changes });
  const stream = handlers.changes({ afterRevision: 1, fromWindowStart: false }, call);
  await assert.rejects(
    async () => {
      for await (const _batch of stream) assert.fail('no batch');
    },
    { reason: 'Expired' },
  );
});

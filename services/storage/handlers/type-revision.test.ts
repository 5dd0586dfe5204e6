import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError, storageKeyFrom } from '@binnacle/storage-contract';
import { typeRevisionHandler } from './type-revision.ts';

const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY };

test('every revision returned is reported', async () => {
  const reported: number[] = [];
  const asked: unknown[] = [];
  const typeRevision = async (prefix: unknown) => asked.push(prefix) * 10;
  const handler = typeRevisionHandler({ typeRevision }, revision => reported.push(revision));
  assert.deepEqual(await handler({ typePrefix: '/core/pods/' }, call), { revision: 10 });
  assert.deepEqual(await handler({ typePrefix: '' }, call), { revision: 20 });
  assert.deepEqual(asked, [storageKeyFrom('/core/pods/'), undefined]);
  assert.deepEqual(reported, [10, 20]);
});

test('a failed query reports no revision', async () => {
  const reported: number[] = [];
  const typeRevision = async () => {
    throw new StorageError('unavailable', 'the store is away');
  };
  const handler = typeRevisionHandler({ typeRevision }, revision => reported.push(revision));
  await assert.rejects(handler({ typePrefix: '' }, call));
  assert.deepEqual(reported, []);
});

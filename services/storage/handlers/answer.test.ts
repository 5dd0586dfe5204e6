import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MalformedRequest, StorageError } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

const failWith = (error: unknown) => answer(() => Promise.reject(error));
const recurse = (): number => recurse() + 1;

test('a malformed request is the fault of its caller', async () => {
  await assert.rejects(failWith(new MalformedRequest('not a storage key: x')), {
    reason: 'BadRequest',
    code: 400,
  });
});

test("the store's errors keep their meaning", async () => {
  await assert.rejects(failWith(new StorageError('unavailable', 'etcd is down')), {
    reason: 'ServiceUnavailable',
  });
});

test('a stack that overflows is no malformed request', async () => {
  await assert.rejects(
    answer(async () => recurse()),
    { name: 'RangeError' },
  );
});

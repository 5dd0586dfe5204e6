import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageKeyFrom, type Transaction } from '@binnacle/storage-contract';
import { describeTransaction, resourceOfKey } from './measured-storage.ts';

const key = storageKeyFrom('/apps/deployments/t/a');
const write = (more: Partial<Transaction>): Transaction => ({
  preconditions: [],
  puts: [],
  deletes: [],
  ...more,
});
const put = { key, value: new Uint8Array() };

test('the resource of a key is found', () => {
  assert.equal(resourceOfKey('/core/configmaps/t/a'), 'configmaps');
  assert.equal(resourceOfKey('/apps/deployments/'), 'deployments.apps');
  assert.equal(resourceOfKey('/_claims/x/y'), '');
  assert.equal(resourceOfKey('/'), '');
});

test('the operation of a transaction is found', () => {
  const type = 'deployments.apps';
  assert.deepEqual(describeTransaction(write({ deletes: [key] })), { operation: 'delete', type });
  assert.deepEqual(describeTransaction(write({ puts: [put], preconditions: [{ key, revision: 0 }] })), {
    operation: 'create',
    type,
  });
  assert.deepEqual(describeTransaction(write({ puts: [put], preconditions: [{ key, revision: 7 }] })), {
    operation: 'update',
    type,
  });
});

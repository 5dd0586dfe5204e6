import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { createTransaction, type WriteToCommit } from './transaction.ts';

const key = storageKeyFrom('/core/services/tour/a');
const endpoints = storageKeyFrom('/core/endpoints/tour/a');
const namespace = storageKeyFrom('/core/namespaces//tour');
const quota = storageKeyFrom('/core/resourcequotas/tour/q');
const bytes = Buffer.from('{}');
const terms = {
  preconditions: [{ key: namespace, revision: 3 }],
  jointWrites: [{ key: quota, from: 4, put: bytes }],
};

test('each precondition of a write has its error, that of the object first', () => {
  const write: WriteToCommit = {
    object: { key, from: 7, put: bytes },
    reservations: { before: ['/_claims/a', '/_claims/b'], after: ['/_claims/b', '/_claims/c', '/_claims/c'] },
    jointWrites: [],
  };
  const { preconditions, puts, deletes } = createTransaction(write, terms);
  assert.deepEqual(preconditions, [
    { key, revision: 7, meaning: { kind: 'object' } },
    { key: namespace, revision: 3, meaning: { kind: 'admission' } },
    { key: quota, revision: 4, meaning: { kind: 'admission' } },
    { key: '/_claims/c', revision: 0, meaning: { kind: 'reservation', reservation: '/_claims/c' } },
  ]);
  assert.deepEqual(puts, [
    { key, value: bytes },
    { key: quota, value: bytes },
    { key: '/_claims/c', value: Buffer.from(key) },
  ]);
  assert.deepEqual(deletes, ['/_claims/a']);
});

test('a removal deletes the object with its joint writes and reservations', () => {
  const write: WriteToCommit = {
    object: { key, from: 7, put: undefined },
    reservations: { before: ['/_claims/a'], after: [] },
    jointWrites: [{ key: endpoints, from: 6, put: undefined }],
  };
  const { preconditions, puts, deletes } = createTransaction(write, { preconditions: [], jointWrites: [] });
  assert.deepEqual(preconditions, [
    { key, revision: 7, meaning: { kind: 'object' } },
    { key: endpoints, revision: 6, meaning: { kind: 'joint-write' } },
  ]);
  assert.deepEqual(puts, []);
  assert.deepEqual(deletes, [key, endpoints, '/_claims/a']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageKeyFrom } from './keys.ts';
import type { Transaction } from './storage.ts';
import { checkTransaction, maxTransactionBytes } from './transaction-limits.ts';

const key = (name: string) => storageKeyFrom(`/core/configmaps/ns/${name}`);
const put = (name: string, bytes = 1) => ({ key: key(name), value: new Uint8Array(bytes) });
const none: Transaction = { preconditions: [], puts: [], deletes: [] };
const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

test('the types that a transaction writes are named once each, without reservations', () => {
  const reservation = { key: storageKeyFrom('/_claims/ip/1'), value: new Uint8Array(0) };
  const deletes = [storageKeyFrom('/core/secrets/ns/a'), storageKeyFrom('/core/secrets/ns/b')];
  const types = checkTransaction({ ...none, puts: [put('a'), put('b'), reservation], deletes });
  assert.deepEqual(types, ['/core/configmaps/', '/core/secrets/']);
});

const refused: readonly { readonly what: string; readonly transaction: Transaction; readonly as: object }[] =
  [
    {
      what: 'a key that is put twice',
      transaction: { ...none, puts: [put('a'), put('a')] },
      as: { name: 'MalformedRequest' },
    },
    {
      what: 'a key that is put and deleted',
      transaction: { ...none, puts: [put('a')], deletes: [key('a')] },
      as: { name: 'MalformedRequest' },
    },
    {
      what: 'a precondition on a fraction',
      transaction: { ...none, preconditions: [{ key: key('a'), revision: 0.5 }] },
      as: { name: 'MalformedRequest' },
    },
    {
      what: 'too many bytes',
      transaction: { ...none, puts: [put('a', maxTransactionBytes)] },
      as: { kind: 'too-large' },
    },
    {
      what: 'too many writes, the type revision among them',
      transaction: { ...none, deletes: many(127).map(key) },
      as: { kind: 'too-large' },
    },
    {
      what: 'too many preconditions',
      transaction: { ...none, preconditions: many(128).map(name => ({ key: key(name), revision: 0 })) },
      as: { kind: 'too-large' },
    },
  ];

for (const { what, transaction, as } of refused) {
  test(`${what} is refused`, () => {
    assert.throws(() => checkTransaction(transaction), as);
  });
}

test('the maximum number of writes is accepted', () => {
  checkTransaction({ ...none, deletes: many(126).map(key) });
});

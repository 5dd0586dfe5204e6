import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageKeyFrom, type Transaction } from '@binnacle/storage-contract';
import { Batch, type BatchLimits, batchMember, defaultBatchLimits } from './batch.ts';

const key = (name: string) => storageKeyFrom(`/core/configmaps/ns/${name}`);

interface Short {
  readonly put?: string;
  readonly remove?: string;
  /** Keys that must be at some revision. */
  readonly when?: readonly string[];
  readonly bytes?: number;
  /** Further keys that are put. */
  readonly more?: number;
}

function transactionFrom({ put, remove, when = [], bytes = 1, more = 0 }: Short): Transaction {
  const names = [
    ...(put === undefined ? [] : [put]),
    ...Array.from({ length: more }, (_, item) => `${put}-${item}`),
  ];
  return {
    preconditions: when.map(name => ({ key: key(name), revision: 5 })),
    puts: names.map(name => ({ key: key(name), value: new Uint8Array(bytes) })),
    deletes: remove === undefined ? [] : [key(remove)],
  };
}

/** Which of some transactions share a batch with the first. */
function sharing(transactions: readonly Short[], limits: BatchLimits = defaultBatchLimits): number[] {
  const batch = new Batch(limits);
  return transactions.flatMap((each, index) =>
    batch.tryAdd(batchMember(transactionFrom(each))) ? [index] : [],
  );
}

interface BatchCase {
  readonly name: string;
  readonly transactions: readonly Short[];
  readonly together: readonly number[];
}

const cases: readonly BatchCase[] = [
  {
    name: 'writes of different keys',
    transactions: [{ put: 'a' }, { put: 'b' }, { remove: 'c' }],
    together: [0, 1, 2],
  },
  {
    name: 'two writes of one key',
    transactions: [{ put: 'a' }, { put: 'a' }, { remove: 'a' }],
    together: [0],
  },
  {
    name: 'many that rely on one key',
    transactions: [
      { put: 'a', when: ['ns'] },
      { put: 'b', when: ['ns'] },
      { put: 'c', when: ['ns'] },
    ],
    together: [0, 1, 2],
  },
  {
    name: 'a write of what another one relies on',
    transactions: [{ put: 'a', when: ['ns'] }, { put: 'ns' }, { remove: 'ns' }],
    together: [0],
  },
  {
    name: 'one that relies on what another one writes',
    transactions: [{ put: 'ns' }, { put: 'a', when: ['ns'] }, { put: 'b' }],
    together: [0, 2],
  },
  {
    name: 'its own precondition',
    transactions: [
      { put: 'a', when: ['a'] },
      { put: 'b', when: ['b'] },
    ],
    together: [0, 1],
  },
  {
    name: 'more bytes than a request may have',
    transactions: [{ put: 'a', bytes: 800_000 }, { put: 'b', bytes: 800_000 }, { put: 'c' }],
    together: [0, 2],
  },
  {
    name: 'one of many operations',
    transactions: [{ put: 'a' }, { put: 'b', more: 124 }, { put: 'c', more: 100 }, { put: 'd' }],
    together: [0, 2, 3],
  },
];

for (const { name, transactions, together } of cases)
  test(`a batch of ${name}`, () => assert.deepEqual(sharing(transactions), together));

test('a batch has as many members as the operation limit of etcd allows', () => {
  const transactions = Array.from({ length: 200 }, (_, index) => ({ put: `${index}`, when: [`${index}`] }));
  // The bookmark, the type's revision, and two operations of a member count as well.
  assert.equal(sharing(transactions).length, 128 - 4);
  assert.equal(sharing(transactions, { ...defaultBatchLimits, operations: 16 }).length, 16 - 4);
  assert.equal(sharing(transactions, { ...defaultBatchLimits, operations: 1000 }).length, 128);
});

test('a transaction that fits into no batch is sent alone', () => {
  assert.deepEqual(sharing([{ put: 'a', more: 125 }, { put: 'b' }]), [0]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pollUntil } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import {
  type Storage,
  type StorageKey,
  storageKeyFrom,
  type Transaction,
  type TransactionOutcome,
} from '@binnacle/storage-contract';
import { startFaultyProxy } from '../../test-drivers/faulty-proxy.ts';
import { useSharedEtcd } from '../../test-drivers/shared-etcd.ts';
import { connectEtcd, type EtcdConnection } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';
import { etcdRevisionFrom, revisionAt, revisionFromEtcd } from './revisions.ts';

/** How often the reply of a batch is lost. */
const lostReplies = Number(process.env['BINNACLE_LOST_REPLIES'] || 25);

const etcd = useSharedEtcd();
let prefixes = 0;

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(20_000) });
const key = (name: string): StorageKey => storageKeyFrom(`/core/configmaps/ns/${name}`);

function connect(endpoint = etcd().endpoint, prefix = `/group-${prefixes++}`): EtcdConnection {
  return connectEtcd({ endpoints: [endpoint], prefix });
}

function put(name: string, value: string, revision?: number): Transaction {
  const preconditions = revision === undefined ? [] : [{ key: key(name), revision }];
  return { preconditions, puts: [{ key: key(name), value: Buffer.from(value) }], deletes: [] };
}

test('transactions of one turn, and those that arrive during a commit, are committed together', async () => {
  using connection = connect();
  const storage = createEtcdStorage(connection);
  const first = etcdRevisionFrom(await storage.typeRevision(undefined, call())) + 1;
  const write = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => storage.transact(put(`k${from + index}`, 'x'), call()));
  const ofOneTurn = write(0, 3);
  await turn();
  const later = [...write(3, 20)];
  await turn();
  later.push(...write(23, 20));
  const revisions = async (pending: readonly Promise<TransactionOutcome>[]) =>
    (await Promise.all(pending)).map(({ revision }) => revision);
  const positions = (count: number, at: number) =>
    Array.from({ length: count }, (_, index) => revisionAt(at, 128 - count + index));
  assert.deepEqual(await revisions(ofOneTurn), positions(3, first));
  assert.deepEqual(await revisions(later), positions(40, first + 1));
});

test('conflicting transactions are committed one after the other, each as soon as possible', async () => {
  using connection = connect();
  const storage = createEtcdStorage(connection);
  await storage.transact(put('counter', '0'), call());
  const outcomes = await Promise.all([
    storage.transact(put('counter', '1'), call()),
    storage.transact(put('counter', '2'), call()),
    storage.transact(put('a', 'x'), call()),
  ]);
  const [one, two, a] = outcomes.map(({ revision }) => etcdRevisionFrom(revision));
  assert.deepEqual([a, two], [one, one! + 1]);
  assert.equal(Buffer.from((await storage.get(key('counter'), call())).record!.value).toString(), '2');
});

test('values written by earlier releases without batches are read, followed and replaced', async () => {
  using connection = connect();
  const storage = createEtcdStorage(connection);
  const start = await storage.typeRevision(undefined, call());
  const old = { key: connection.layout.toBytes(key('old')), value: Buffer.from('{"a":"ü"}') };
  await connection.txn({ compare: [], success: [{ request_put: old }], failure: [] }, call());
  const { record } = await storage.get(key('old'), call());
  assert.equal(Buffer.from(record!.value).toString(), '{"a":"ü"}');
  assert.equal(record!.revision, revisionFromEtcd(etcdRevisionFrom(start) + 1));
  const replaced = await storage.transact(put('old', 'new', record!.revision), call());
  assert.ok(replaced.committed);
  for await (const { changes } of storage.changes({ after: start }, call())) {
    assert.deepEqual(
      changes.map(({ type, value, previousValue }) => [
        type,
        `${Buffer.from(previousValue)}>${Buffer.from(value)}`,
      ]),
      [
        ['created', '>{"a":"ü"}'],
        ['updated', '{"a":"ü"}>new'],
      ],
    );
    break;
  }
});

/**
 * The task of each member of a batch: every fourth one creates, fails, finds its key absent, deletes; two of the last only check.
 */
function createMembers(round: number, taken: number): Transaction[] {
  return Array.from({ length: 16 }, (_, index) => {
    const name = `r${round}-${index}`;
    const puts = index >= 12 ? [] : put(name, 'x').puts;
    if (index === 12) return { preconditions: [{ key: key('taken'), revision: taken }], puts, deletes: [] };
    if (index % 4 === 1)
      return { preconditions: [{ key: key('taken'), revision: taken - 128 }], puts, deletes: [] };
    if (index % 4 === 2) return put(name, 'x', taken);
    if (index % 4 === 3) return { preconditions: [], puts: [], deletes: [key(`old-${index}`), key(name)] };
    return put(name, `value ${round}`, 0);
  });
}

/** Asserts that outcomes say what is in the store. */
async function assertRight(
  direct: Storage,
  members: readonly Transaction[],
  outcomes: readonly TransactionOutcome[],
  taken: number,
): Promise<void> {
  for (const [index, outcome] of outcomes.entries()) {
    const isRefused = index % 4 === 1 || index % 4 === 2;
    assert.equal(outcome.committed, !isRefused, `member ${index}`);
    const [written] = members[index]?.puts ?? [];
    if (outcome.committed && written) {
      const { record } = await direct.get(written.key, call());
      assert.equal(record?.revision, outcome.revision, `member ${index}`);
    } else if (!outcome.committed) {
      assert.equal(outcome.failedPrecondition, 0);
      assert.equal(outcome.current?.revision, index % 4 === 1 ? taken : undefined);
    }
  }
  const revisions = outcomes.filter(({ committed }) => committed).map(({ revision }) => revision);
  assert.equal(new Set(revisions).size, revisions.length);
}

/** A connection of whose transactions etcd says that it has no space: before it commits one, or after it. */
function fullConnection(connection: EtcdConnection, when: { isCommitted: boolean }): EtcdConnection {
  return {
    ...connection,
    get seenRevision() {
      return connection.seenRevision;
    },
    async txn(request, limits) {
      if (when.isCommitted) await connection.txn(request, limits);
      throw Object.assign(new Error('etcdserver: mvcc: database space exceeded'), { code: 8 });
    },
  };
}

test('the outcome of a transaction that exceeds the space of etcd is found', async () => {
  using connection = connect();
  const before = await createEtcdStorage(connection).transact(put('taken', 'x'), call());
  const when = { isCommitted: true };
  const storage = createEtcdStorage(fullConnection(connection, when));
  const [written, refused, last] = await Promise.all([
    storage.transact(put('large', '1'), call()),
    storage.transact(put('taken', 'y', 0), call()),
    storage.transact(put('small', '1'), call()),
  ]);
  assert.ok(written.committed && last.committed);
  assert.equal((await storage.get(key('large'), call())).record?.revision, written.revision);
  assert.ok(!refused.committed);
  assert.equal(refused.current?.revision, before.revision);
  when.isCommitted = false;
  for (const transaction of [put('large', '2'), put('new', '1', 0)])
    await assert.rejects(storage.transact(transaction, call()), { kind: 'full' });
  assert.equal((await storage.get(key('large'), call())).record?.revision, written.revision);
});

test(`the outcome of each member is found although the reply of its batch is lost ${lostReplies} times`, async () => {
  await using proxy = await startFaultyProxy(etcd().endpoint);
  const prefix = `/group-${prefixes++}`;
  using faulty = connect(proxy.endpoint, prefix);
  using sound = connect(etcd().endpoint, prefix);
  const [storage, direct] = [createEtcdStorage(faulty), createEtcdStorage(sound)];
  const taken = (await direct.transact(put('taken', 'x'), call())).revision;
  for (let round = 0; round < lostReplies; round++) {
    await direct.transact(put(`old-3`, `${round}`), call());
    // The first goes alone, and the others gather meanwhile: its reply comes before replies are dropped.
    const first = storage.transact(put('first', `${round}`), call());
    await turn();
    const members = createMembers(round, taken);
    const pending = Promise.all(members.map(member => storage.transact(member, call())));
    await first;
    proxy.mode = 'drop-replies';
    const last = members[8]!.puts[0]!.key;
    await pollUntil(
      'the batch to be applied',
      async () => (await direct.get(last, call())).record !== undefined,
    );
    proxy.cut();
    proxy.mode = 'pass';
    await assertRight(direct, members, await pending, taken);
  }
});

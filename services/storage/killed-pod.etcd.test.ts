import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort, pollUntil, startEtcd } from '@binnacle/backends';
import { deadlineIn, storageContract } from '@binnacle/proto';
import { connectRpc } from '@binnacle/rpc';
import {
  isStorageError,
  remoteStorage,
  type Storage,
  type StorageKey,
  storageKeyFrom,
  type Transaction,
} from '@binnacle/storage-contract';
import { etcdRevisionFrom } from './backends/etcd/revisions.ts';
import { startFaultyProxy } from './test-drivers/faulty-proxy.ts';
import { startPod, stopPod } from './test-drivers/pod-process.ts';

/** How often a pod is killed. */
const kills = Number(process.env['BINNACLE_KILLED_PODS'] || 2);
const memberCount = 16;

const freePorts = async () => [await findFreePort(), await findFreePort()] as const;
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(20_000) });
const key = (name: string): StorageKey => storageKeyFrom(`/core/configmaps/ns/${name}`);
const value = (name: string) => Buffer.from(`of ${name}`);
const puts = (...names: string[]) => names.map(name => ({ key: key(name), value: value(name) }));

/** One member of a batch: what it writes, and whether it is to commit. */
interface Member {
  readonly transaction: Transaction;
  readonly names: readonly string[];
  readonly commits: boolean;
}

/** Members that create an object with its reservation, replace one, or are refused, in turn. */
function createMember(round: number, index: number, revisions: { old: number; taken: number }): Member {
  const names = [`r${round}-${index}`, `r${round}-${index}-reservation`];
  const absent = names.map(name => ({ key: key(name), revision: 0 }));
  const taken = { key: key('taken'), revision: revisions.taken };
  if (index % 4 === 1) {
    const stale = { ...taken, revision: revisions.taken - 128 };
    return {
      transaction: { preconditions: [...absent, stale], puts: puts(...names), deletes: [] },
      names,
      commits: false,
    };
  }
  if (index === 2) {
    const current = { key: key('old'), revision: revisions.old };
    const transaction = {
      preconditions: [current, taken],
      puts: puts(...names),
      deletes: [current.key],
    };
    return { transaction, names, commits: true };
  }
  return {
    transaction: { preconditions: [...absent, taken], puts: puts(...names), deletes: [] },
    names,
    commits: true,
  };
}

/** Asserts that the store has all of what a member writes, under one revision, or nothing of it. */
async function assertWhole(storage: Storage, { names, commits }: Member): Promise<void> {
  const found = await Promise.all(names.map(async name => (await storage.get(key(name), call())).record));
  assert.equal(new Set(found.map(record => record?.revision)).size, 1, 'all of it or nothing');
  for (const [index, record] of found.entries())
    assert.deepEqual(record && Buffer.from(record.value), commits ? value(names[index] ?? '') : undefined);
}

test(`the outcome of each member is found after ${kills} kills between the commit of a batch and its reply`, async () => {
  await using stack = new AsyncDisposableStack();
  const etcd = stack.use(await startEtcd());
  const direct = await openPod(etcd.endpoint, stack);
  const proxy = stack.use(await startFaultyProxy(etcd.endpoint));
  const create = async (name: string) => {
    const made = { preconditions: [], puts: puts(name), deletes: [] };
    return (await direct.transact(made, call())).revision;
  };
  const taken = await create('taken');
  for (let round = 0; round < kills; round++) {
    await using inRound = new AsyncDisposableStack();
    const old = await create('old');
    const doomed = await startPod(await freePorts(), { 'etcd-endpoints': proxy.endpoint });
    inRound.defer(() => stopPod(doomed, 'SIGKILL'));
    const client = connectRpc(storageContract, { addresses: [doomed.address], insecure: true });
    const storage = remoteStorage(inRound.use(client));
    await storage.typeRevision(undefined, call());
    const members = Array.from({ length: memberCount }, (_, index) =>
      createMember(round, index, { old, taken }),
    );
    proxy.mode = 'hold-replies';
    const pending = members.map(({ transaction }) => storage.transact(transaction, call()));
    const outcomes = Promise.allSettled(pending);
    const applied = async () => (await direct.get(key(`r${round}-0`), call())).record !== undefined;
    await pollUntil('the batch to be applied', applied);
    await stopPod(doomed, 'SIGKILL');
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(isStorageError(outcome.reason, 'unknown-outcome'), 'the outcome is unknown to the caller');
    }
    proxy.release();
    const revisions = new Set<number>();
    for (const [index, member] of members.entries()) {
      await assertWhole(direct, member);
      // Sent again, it is refused: by what it wrote the first time, or by what refused it then.
      const repeated = await direct.transact(member.transaction, call());
      assert.ok(!repeated.committed);
      const [first = ''] = member.names;
      assert.equal(repeated.failedPrecondition, member.commits ? 0 : 2);
      const { record } = await direct.get(key(first), call());
      if (index !== 2 && member.commits) assert.equal(repeated.current?.revision, record?.revision);
      if (record !== undefined) revisions.add(record.revision);
    }
    assert.equal(new Set([...revisions].map(etcdRevisionFrom)).size, 1, 'it was one batch');
    assert.equal(revisions.size, members.filter(({ commits }) => commits).length);
  }
});

async function openPod(endpoint: string, stack: AsyncDisposableStack): Promise<Storage> {
  const pod = await startPod(await freePorts(), { 'etcd-endpoints': endpoint });
  stack.defer(() => stopPod(pod, 'SIGTERM'));
  const client = connectRpc(storageContract, { addresses: [pod.address], insecure: true });
  return remoteStorage(stack.use(client));
}

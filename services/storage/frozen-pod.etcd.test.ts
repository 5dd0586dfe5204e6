import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort, freezeProcess, startEtcd } from '@binnacle/backends';
import { deadlineIn, type StorageService, storageContract } from '@binnacle/proto';
import { connectRpc } from '@binnacle/rpc';
import {
  isStorageError,
  recoverTransaction,
  remoteStorage,
  type StorageKey,
  storageKeyFrom,
  type TransactionOutcome,
} from '@binnacle/storage-contract';
import { startPod, stopPod } from './test-drivers/pod-process.ts';

const freePorts = async () => [await findFreePort(), await findFreePort()] as const;
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });
const key = (name: string): StorageKey => storageKeyFrom(`/core/configmaps/ns/${name}`);
const put = (name: string, text: string) => ({ key: key(name), value: Buffer.from(text) });
const count = 20;
const names = Array.from({ length: count }, (_, index) => `object-${index}`);

/** Each of two pods stands still in turn, so that one of them is the one that clients call first. */
test('writes sent to a frozen pod are committed once by the other one', async () => {
  await using stack = new AsyncDisposableStack();
  const etcd = stack.use(await startEtcd());
  const pods = await Promise.all(
    [1, 2].map(async () => await startPod(await freePorts(), { 'etcd-endpoints': etcd.endpoint })),
  );
  for (const pod of pods) stack.defer(() => stopPod(pod, 'SIGKILL'));
  const client: StorageService & AsyncDisposable = connectRpc(storageContract, {
    addresses: pods.map(({ address }) => address),
    insecure: true,
    repeatable: ['get', 'list', 'typeRevision'],
    recover: { transact: unanswered => recoverTransaction(client, unanswered) },
  });
  stack.use(client);
  const storage = remoteStorage(client);
  const create = (name: string) =>
    storage.transact(
      { preconditions: [{ key: key(name), revision: 0 }], puts: [put(name, 'new')], deletes: [] },
      call(),
    );
  for (const name of names) await create(name);
  for (const [round, pod] of pods.entries()) {
    const before = await Promise.all(names.map(async name => (await storage.get(key(name), call())).record));
    await freezeProcess(pod.child.pid);
    let outcomes: readonly TransactionOutcome[];
    let failure: unknown;
    try {
      outcomes = await Promise.all(
        names.map((name, index) => {
          const own = { key: key(name), revision: before[index]?.revision ?? 0 };
          const transaction = { preconditions: [own], puts: [put(name, `round ${round}`)], deletes: [] };
          return storage.transact(transaction, call());
        }),
      );
      failure = await create(`made-in-round-${round}`).then(
        () => undefined,
        thrown => thrown,
      );
    } finally {
      pod.child.kill('SIGCONT');
    }
    assert.ok(outcomes.every(({ committed }) => committed));
    assert.ok(failure === undefined || isStorageError(failure, 'unknown-outcome'), String(failure));
    // The pod that goes on has read what it was sent by the time that it answers.
    await Promise.all(names.map(() => storage.get(key('object-0'), call())));
    for (const [index, name] of names.entries()) {
      const { record } = await storage.get(key(name), call());
      assert.equal(record?.revision, outcomes[index]?.revision, 'it was written once');
    }
  }
});

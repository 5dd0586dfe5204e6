import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EtcdServer, freezeProcess, pollUntil, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { isStorageError, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { connectEtcd, type EtcdConnection } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

// Far longer than any wait that is looked at here: what ends a call is never its own deadline.
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });
const createKey = (name: string) => storageKeyFrom(`/core/configmaps/ns/${name}`);

function write(storage: Storage, name: string) {
  const key = createKey(name);
  const preconditions = [{ key, revision: 0 }];
  return storage.transact({ preconditions, puts: [{ key, value: Buffer.from(name) }], deletes: [] }, call());
}

async function whileFrozen(run: () => Promise<void>): Promise<void> {
  await freezeProcess(etcd.pid);
  try {
    await run();
  } finally {
    process.kill(etcd.pid!, 'SIGCONT');
  }
}

interface Scene {
  readonly connection: EtcdConnection;
  readonly storage: Storage;
  readonly silences: readonly boolean[];
}

async function withScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const silences: boolean[] = [];
  const onSilence = (isSilent: boolean) => silences.push(isSilent);
  using connection = connectEtcd({
    endpoints: [etcd.endpoint],
    prefix: `/silent-${Math.random()}`,
    onSilence,
  });
  await run({ connection, storage: createEtcdStorage(connection), silences });
}

test('each call gets its outcome while etcd is silent, later calls are not sent, and calls succeed afterwards', () =>
  withScene(async ({ storage, silences }) => {
    await write(storage, 'first');
    const reader = new AbortController();
    const seen: string[] = [];
    const start = await storage.typeRevision(undefined, call());
    const reading = (async () => {
      for await (const { changes } of storage.changes({ after: start }, { ...call(), signal: reader.signal }))
        seen.push(...changes.map(({ key }) => key));
    })();
    const unsent: string[] = [];
    const unknown: string[] = [];
    await whileFrozen(async () => {
      const sent = write(storage, 'sent');
      await sleep(100);
      // The first one is under way: these wait for it.
      const waiting = ['waits-1', 'waits-2'].map(name => write(storage, name));
      const reads = [storage.get(createKey('first'), call()), storage.typeRevision(undefined, call())];
      const ends = await Promise.allSettled([sent, ...waiting, ...reads]);
      assert.deepEqual(
        ends.map(end => end.status === 'rejected' && isStorageError(end.reason) && end.reason.kind),
        ['unknown-outcome', 'unavailable', 'unavailable', 'unavailable', 'unavailable'],
      );
      assert.deepEqual(silences, [true]);
      unknown.push('sent');
      unsent.push('waits-1', 'waits-2');
      for (let count = 0; count < 100; count++) {
        await assert.rejects(write(storage, `late-${count}`), { kind: 'unavailable' });
        await assert.rejects(storage.get(createKey('first'), call()), { kind: 'unavailable' });
        unsent.push(`late-${count}`);
      }
    });
    await pollUntil('etcd to answer again', async () => silences.at(-1) === false);
    const last = await write(storage, 'last');
    assert.equal(last.committed, true);
    for (const name of unsent)
      assert.equal((await storage.get(createKey(name), call())).record, undefined, name);
    await pollUntil('the last change', async () => seen.includes(createKey('last')));
    reader.abort();
    await reading;
    // A transaction whose outcome was unknown is there once or not at all, for readers as for the store.
    for (const name of unknown) {
      const { record } = await storage.get(createKey(name), call());
      assert.equal(seen.filter(key => key === createKey(name)).length, record === undefined ? 0 : 1);
    }
  }));

test('the outcome of a write with a late reply is found when etcd is back soon', () =>
  withScene(async ({ storage, silences }) => {
    await write(storage, 'a');
    const outcome = Promise.withResolvers<unknown>();
    await whileFrozen(async () => {
      write(storage, 'b').then(outcome.resolve, outcome.resolve);
      await pollUntil('silence', async () => silences.at(-1) === true, { intervalMs: 10 });
    });
    const told = await outcome.promise;
    const { record } = await storage.get(createKey('b'), call());
    // On a crowded machine the search may not end in time: then the outcome stays unknown, and is never told wrongly.
    if (isStorageError(told)) assert.equal(told.kind, 'unknown-outcome');
    else assert.deepEqual(told, { committed: true, revision: record?.revision });
  }));

test('calls wait during a short pause of etcd', () =>
  withScene(async ({ storage, silences }) => {
    await write(storage, 'a');
    let writing: Promise<unknown> | undefined;
    await whileFrozen(async () => {
      writing = write(storage, 'b');
      await sleep(800);
    });
    await writing;
    assert.deepEqual(silences, []);
  }));

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EtcdServer, pollUntil, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import {
  type Change,
  isStorageError,
  type Storage,
  storageKeyFrom,
  type TransactionOutcome,
} from '@binnacle/storage-contract';
import { type FaultyProxy, startFaultyProxy } from '../../test-drivers/faulty-proxy.ts';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

let etcd: EtcdServer;
let prefixes = 0;

before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

const key = storageKeyFrom('/core/configmaps/ns/a');
const configmaps = storageKeyFrom('/core/configmaps/');
const call = (milliseconds = 20_000) => ({
  signal: new AbortController().signal,
  deadline: deadlineIn(milliseconds),
});

function write(
  storage: Storage,
  value: string,
  revision?: number,
  context = call(),
): Promise<TransactionOutcome> {
  const preconditions = revision === undefined ? [] : [{ key, revision }];
  return storage.transact(
    { preconditions, puts: [{ key, value: Buffer.from(value) }], deletes: [] },
    context,
  );
}

interface Scene {
  readonly proxy: FaultyProxy;
  /** Through the proxy. */
  readonly storage: Storage;
  /** Past the proxy. */
  readonly direct: Storage;
}

async function withScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  await using proxy = await startFaultyProxy(etcd.endpoint);
  const prefix = `/faults-${prefixes++}`;
  using faulty = connectEtcd({ endpoints: [proxy.endpoint], prefix });
  using sound = connectEtcd({ endpoints: [etcd.endpoint], prefix });
  await run({ proxy, storage: createEtcdStorage(faulty), direct: createEtcdStorage(sound) });
}

/** Sends a write while the proxy loses something, and breaks the connection once `happened`. */
async function writeAndCut(
  { proxy, storage }: Scene,
  mode: FaultyProxy['mode'],
  happened: () => Promise<boolean>,
): Promise<TransactionOutcome> {
  const first = await write(storage, 'first', 0);
  proxy.mode = mode;
  const pending = write(storage, 'second', first.revision, call(8000));
  pending.catch(() => {});
  await pollUntil('the request to have its effect', happened);
  proxy.cut();
  proxy.mode = 'pass';
  return await pending;
}

test('a write with a lost reply is reported as committed at its revision', () =>
  withScene(async scene => {
    const { direct } = scene;
    const applied = async () =>
      Buffer.from((await direct.get(key, call())).record?.value ?? []).toString() === 'second';
    const outcome = await writeAndCut(scene, 'drop-replies', applied);
    assert.deepEqual(outcome, {
      committed: true,
      revision: (await direct.get(key, call())).record?.revision,
    });
  }));

test('a write with a lost reply is found below later writes', () =>
  withScene(async scene => {
    const { direct } = scene;
    let revision = 0;
    const applied = async () => {
      const { record } = await direct.get(key, call());
      if (Buffer.from(record?.value ?? []).toString() !== 'second') return false;
      revision = record?.revision ?? 0;
      for (const value of ['third', 'fourth', 'fifth']) await write(direct, value);
      return true;
    };
    assert.deepEqual(await writeAndCut(scene, 'drop-replies', applied), { committed: true, revision });
  }));

test('a lost write is refused with the current value if others changed the object', () =>
  withScene(async scene => {
    const { proxy, direct } = scene;
    const overtaken = async () => {
      if (proxy.requestBytes === 0) return false;
      await write(direct, 'other');
      return true;
    };
    const outcome = await writeAndCut(scene, 'drop-requests', overtaken);
    assert.equal(outcome.committed, false);
    assert.equal(outcome.failedPrecondition, 0);
    assert.equal(Buffer.from(outcome.current?.value ?? []).toString(), 'other');
  }));

test('a lost write that may still arrive is sent once more', () =>
  withScene(async scene => {
    const { proxy, direct } = scene;
    const outcome = await writeAndCut(scene, 'drop-requests', async () => proxy.requestBytes > 0);
    assert.ok(outcome.committed);
    assert.equal((await direct.get(key, call())).record?.revision, outcome.revision);
  }));

for (const alone of [true, false]) {
  test(`a creation that arrives after its object was created and deleted changes nothing, ${alone ? 'alone' : 'in a batch'}`, () =>
    withScene(async ({ proxy, storage, direct }) => {
      const start = (await write(storage, 'first')).revision;
      await direct.transact({ preconditions: [], puts: [], deletes: [key] }, call());
      proxy.mode = 'hold-requests';
      const other = { key: storageKeyFrom('/core/configmaps/ns/other'), value: Buffer.from('other') };
      const pending = Promise.all([
        write(storage, 'late', 0),
        alone || storage.transact({ preconditions: [], puts: [other], deletes: [] }, call()),
      ]);
      await pollUntil('the request to be on its way', async () => proxy.requestBytes > 0);
      proxy.mode = 'pass';
      proxy.leave();
      const [outcome] = await pending;
      assert.ok(outcome.committed);
      await direct.transact({ preconditions: [], puts: [], deletes: [key] }, call());
      proxy.release();
      await new Promise(resolve => setTimeout(resolve, 1000));
      // A pod that knows nothing of the guard's move writes all the same.
      const { revision } = await write(direct, 'last', 0);
      const changes: string[] = [];
      for await (const batch of direct.changes({ after: start }, call())) {
        for (const change of batch.changes)
          if (change.key === key) changes.push(`${change.type} ${Buffer.from(change.value)}`);
        if (batch.revision >= revision) break;
      }
      assert.deepEqual(changes, ['deleted ', 'created late', 'deleted ', 'created last']);
    }));
}

test('a batch that is refused because another pod moved the guard is sent once more', () =>
  withScene(async ({ proxy, storage, direct }) => {
    await write(storage, 'first');
    proxy.mode = 'drop-requests';
    const lost = write(storage, 'second');
    await pollUntil('the request to be lost', async () => proxy.requestBytes > 0);
    proxy.mode = 'pass';
    proxy.cut();
    const { revision } = await lost;
    const keys = ['x', 'y', 'z'].map(name => storageKeyFrom(`/core/configmaps/ns/${name}`));
    const absent = await Promise.all(
      keys.map(each =>
        direct.transact(
          {
            preconditions: [{ key: each, revision: 0 }],
            puts: [{ key: each, value: Buffer.from('x') }],
            deletes: [],
          },
          call(),
        ),
      ),
    );
    assert.ok(absent.every(outcome => outcome.committed && outcome.revision > revision));
    const refused = await write(direct, 'third', 1);
    assert.equal(refused.committed, false);
    assert.equal(refused.current?.revision, revision);
  }));

test('calls over a connection that discards everything end at their deadline', () =>
  withScene(async ({ proxy, storage }) => {
    await write(storage, 'a');
    proxy.mode = 'drop-replies';
    await assert.rejects(storage.get(key, call(500)), { kind: 'deadline' });
    await assert.rejects(storage.list({ prefix: configmaps }, call(500)), { kind: 'deadline' });
    await assert.rejects(storage.typeRevision(configmaps, call(500)), { kind: 'deadline' });
    await assert.rejects(write(storage, 'b', undefined, call(500)), { kind: 'unknown-outcome' });
  }));

test('a stream of changes over a faulty connection has no gap', () =>
  withScene(async ({ proxy, storage, direct }) => {
    const start = await storage.typeRevision(undefined, call());
    const reader = new AbortController();
    const seen: Change[] = [];
    const reading = (async () => {
      for await (const batch of storage.changes({ after: start }, { ...call(), signal: reader.signal })) {
        seen.push(...batch.changes);
      }
    })();
    const revisions: number[] = [];
    for (const mode of ['pass', 'drop-replies', 'pass', 'drop-requests', 'pass'] as const) {
      proxy.mode = mode;
      for (let index = 0; index < 20; index++)
        revisions.push((await write(direct, `${mode} ${index}`)).revision);
      proxy.cut();
    }
    await pollUntil('all changes', async () => seen.length >= revisions.length);
    reader.abort();
    await reading;
    assert.deepEqual(
      seen.map(change => change.revision),
      revisions,
    );
  }));

test('calls fail in time while etcd is down, and succeed with every acknowledged write when it is back', () =>
  withScene(async ({ storage }) => {
    const start = await storage.typeRevision(undefined, call());
    const reader = new AbortController();
    const seen: Change[] = [];
    const reading = (async () => {
      for await (const batch of storage.changes({ after: start }, { ...call(), signal: reader.signal })) {
        seen.push(...batch.changes);
      }
    })();
    const acknowledged: number[] = [];
    const writer = new AbortController();
    const writing = (async () => {
      while (!writer.signal.aborted) {
        try {
          const outcome = await write(storage, `${acknowledged.length}`, undefined, call(2000));
          acknowledged.push(outcome.revision);
        } catch (thrown) {
          assert.ok(isStorageError(thrown));
          assert.ok(['unavailable', 'unknown-outcome'].includes(thrown.kind), thrown.kind);
        }
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    })();
    for (let round = 0; round < 2; round++) {
      const before = acknowledged.length;
      await pollUntil('writes', async () => acknowledged.length > before + 20);
      await etcd.kill();
      const asked = Date.now();
      await assert.rejects(storage.get(key, call(3000)), { kind: 'unavailable' });
      await assert.rejects(storage.list({ prefix: configmaps }, call(3000)), { kind: 'unavailable' });
      assert.ok(Date.now() - asked < 6000);
      await etcd.restart();
    }
    const before = acknowledged.length;
    await pollUntil('writes after the last start', async () => acknowledged.length > before + 20);
    writer.abort();
    await writing;
    await pollUntil('the last change', async () => (seen.at(-1)?.revision ?? 0) >= acknowledged.at(-1)!);
    reader.abort();
    await reading;
    const revisions = seen.map(change => change.revision);
    assert.deepEqual(
      revisions,
      [...new Set(revisions)].toSorted((a, b) => a - b),
    );
    for (const revision of acknowledged)
      assert.ok(revisions.includes(revision), `revision ${revision} is there`);
  }));

test('requests that wait for a connection do not fail because others were aborted', () =>
  withScene(async ({ proxy, storage }) => {
    // The connection is not ready before etcd's first frame comes. For less time than makes a silence.
    proxy.mode = 'hold-replies';
    const patient = storage.get(key, call());
    patient.catch(() => {});
    for (let count = 0; count < 8; count++) await assert.rejects(storage.get(key, call(150)));
    proxy.release();
    assert.equal((await patient).record, undefined);
  }));

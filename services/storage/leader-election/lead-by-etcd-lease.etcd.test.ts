import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EtcdServer, freezeProcess, pollUntil, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { connectEtcd } from '../backends/etcd/connection.ts';
import { startFaultyProxy } from '../test-drivers/faulty-proxy.ts';
import { leadByEtcdLease } from './lead-by-etcd-lease.ts';

let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

/** A candidate that notes the beginning and end of its terms; it is at work when a promise says so, by default at once. */
function campaign(
  identity: string,
  endpoint: string,
  prefix: string,
  notes: string[],
  work: () => Promise<void> = async () => {},
) {
  const connection = connectEtcd({ endpoints: [endpoint], prefix });
  const stop = new AbortController();
  const run = leadByEtcdLease({ connection, name: 'test', identity, ttlSeconds: 3, log: silentLogger });
  const running = run(async (term, atWork) => {
    notes.push(`${identity} begins`);
    void work().then(atWork);
    await new Promise(resolve => term.addEventListener('abort', resolve, { once: true }));
    notes.push(`${identity} ends`);
  }, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      connection[Symbol.dispose]();
    },
  };
}

test('one of two leads, and after its stop it continues until the other one works', async () => {
  const notes: string[] = [];
  const first = campaign('a', etcd.endpoint, '/stop', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  const work = async () => {
    await new Promise(resolve => setTimeout(resolve, 300));
    notes.push('b works');
  };
  await using _second = campaign('b', etcd.endpoint, '/stop', notes, work);
  await new Promise(resolve => setTimeout(resolve, 1500));
  assert.deepEqual(notes, ['a begins']);
  await first[Symbol.asyncDispose]();
  assert.deepEqual(notes, ['a begins', 'b begins', 'b works', 'a ends']);
});

test('a stopping leader ends although its successor never starts to work', async () => {
  const notes: string[] = [];
  const first = campaign('a', etcd.endpoint, '/idle', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await using _second = campaign('b', etcd.endpoint, '/idle', notes, () => new Promise(() => {}));
  await first[Symbol.asyncDispose]();
  await pollUntil('b to lead', async () => notes.length === 3);
  assert.deepEqual(notes.toSorted(), ['a begins', 'a ends', 'b begins']);
});

test('a stopping leader ends without a successor, and without etcd', async () => {
  await using proxy = await startFaultyProxy(etcd.endpoint);
  for (const mode of ['pass', 'drop-requests'] as const) {
    const notes: string[] = [];
    const alone = campaign('a', proxy.endpoint, `/alone-${mode}`, notes);
    await pollUntil('a to lead', async () => notes.length === 1);
    proxy.mode = mode;
    await alone[Symbol.asyncDispose]();
    assert.deepEqual(notes, ['a begins', 'a ends']);
  }
});

test('a leader that cannot reach etcd stops before another one begins', async () => {
  await using proxy = await startFaultyProxy(etcd.endpoint);
  const notes: string[] = [];
  await using _first = campaign('a', proxy.endpoint, '/lost', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await using _second = campaign('b', etcd.endpoint, '/lost', notes);
  proxy.mode = 'drop-requests';
  await pollUntil('b to lead', async () => notes.length === 3);
  assert.deepEqual(notes, ['a begins', 'a ends', 'b begins']);
});

test('a leader with a valid lease continues to lead, across restarts of etcd', async () => {
  const notes: string[] = [];
  await using _first = campaign('a', etcd.endpoint, '/lives', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await new Promise(resolve => setTimeout(resolve, 4500));
  assert.deepEqual(notes, ['a begins']);
  await etcd.kill();
  await etcd.restart();
  await pollUntil('a to lead, still or again', async () => notes.at(-1) === 'a begins');
});

test('a leader that lost its lease takes back the key that it wrote, and no other process can', async () => {
  const notes: string[] = [];
  const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });
  using direct = connectEtcd({ endpoints: [etcd.endpoint], prefix: '/own' });
  const key = direct.layout.toBytes(storageKeyFrom('/_leaders/test'));
  const held = async () => (await direct.range({ key }, call())).kvs[0];
  await using _first = campaign('a', etcd.endpoint, '/own', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await using _second = campaign('b', etcd.endpoint, '/own', notes);
  // Another life of the same process has the same identity.
  await using _third = campaign('a', etcd.endpoint, '/own', []);
  const { value, lease } = (await held())!;
  // As after a start of etcd, the key lives on for longer than its leader trusts in it.
  const longLease = await direct.grantLease(600, call());
  await direct.txn({ compare: [], success: [{ request_put: { key, value, lease: longLease } }] }, call());
  await direct.revokeLease(lease, call());
  await pollUntil('a to lead again', async () => notes.length === 3);
  assert.deepEqual(notes, ['a begins', 'a ends', 'a begins']);
  assert.notEqual((await held())?.lease, longLease);
});

test('after a silence of etcd one process leads, and never two at the same time', async () => {
  const notes: string[] = [];
  await using _first = campaign('a', etcd.endpoint, '/silent', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await using _second = campaign('b', etcd.endpoint, '/silent', notes);
  await freezeProcess(etcd.pid);
  try {
    await pollUntil('a to give up', async () => notes.length === 2);
    await new Promise(resolve => setTimeout(resolve, 2000));
    assert.deepEqual(notes, ['a begins', 'a ends']);
  } finally {
    process.kill(etcd.pid!, 'SIGCONT');
  }
  // The lease has run out meanwhile, so that either may be the first.
  await pollUntil('one of them to lead', async () => notes.length === 3);
  await new Promise(resolve => setTimeout(resolve, 1500));
  assert.match(notes.join(', '), /^a begins, a ends, [ab] begins$/);
});

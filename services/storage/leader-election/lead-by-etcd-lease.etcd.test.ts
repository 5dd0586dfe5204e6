import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EtcdServer, pollUntil, startEtcd } from '@binnacle/backends';
import { silentLogger } from '@binnacle/service-kit';
import { connectEtcd } from '../backends/etcd/connection.ts';
import { startFaultyProxy } from '../test-drivers/faulty-proxy.ts';
import { leadByEtcdLease } from './lead-by-etcd-lease.ts';

let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

/** A candidate that notes the beginning and end of its terms. */
function campaign(identity: string, endpoint: string, prefix: string, notes: string[]) {
  const connection = connectEtcd({ endpoints: [endpoint], prefix });
  const stop = new AbortController();
  const run = leadByEtcdLease({ connection, name: 'test', identity, ttlSeconds: 3, log: silentLogger });
  const running = run(async term => {
    notes.push(`${identity} begins`);
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

test('one of two leads; when it stops the other one follows', async () => {
  const notes: string[] = [];
  const first = campaign('a', etcd.endpoint, '/stop', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await using _second = campaign('b', etcd.endpoint, '/stop', notes);
  await new Promise(resolve => setTimeout(resolve, 1500));
  assert.deepEqual(notes, ['a begins']);
  await first[Symbol.asyncDispose]();
  await pollUntil('b to lead', async () => notes.length === 3);
  assert.deepEqual(notes, ['a begins', 'a ends', 'b begins']);
});

test('a leader that cannot reach etcd gives up before the other one begins', async () => {
  await using proxy = await startFaultyProxy(etcd.endpoint);
  const notes: string[] = [];
  await using _first = campaign('a', proxy.endpoint, '/lost', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await using _second = campaign('b', etcd.endpoint, '/lost', notes);
  proxy.mode = 'drop-requests';
  await pollUntil('b to lead', async () => notes.length === 3);
  assert.deepEqual(notes, ['a begins', 'a ends', 'b begins']);
});

test('a leader whose lease lives on leads on, etcd restarts included', async () => {
  const notes: string[] = [];
  await using _first = campaign('a', etcd.endpoint, '/lives', notes);
  await pollUntil('a to lead', async () => notes.length === 1);
  await new Promise(resolve => setTimeout(resolve, 4500));
  assert.deepEqual(notes, ['a begins']);
  await etcd.kill();
  await etcd.restart();
  await pollUntil('a to lead, still or again', async () => notes.at(-1) === 'a begins');
});

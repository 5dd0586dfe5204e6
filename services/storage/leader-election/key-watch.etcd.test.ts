import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { connectEtcd } from '../backends/etcd/connection.ts';
import { KeyWatch } from './key-watch.ts';

let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });
const untilTheTestTimesOut = 600_000;

test('a wait ends with a change of the key, even one before the wait, and with the signal', async () => {
  using connection = connectEtcd({ endpoints: [etcd.endpoint], prefix: '/watched' });
  const key = Buffer.from('/watched/leader');
  const put = async (value: string) => {
    const request = { compare: [], success: [{ request_put: { key, value: Buffer.from(value) } }] };
    return Number((await connection.txn(request, call())).header.revision);
  };
  const never = new AbortController().signal;
  const first = await put('a');
  using watch = new KeyWatch(connection, key);
  const waiting = watch.changed(first, untilTheTestTimesOut, never);
  await put('b');
  await waiting;
  using other = new KeyWatch(connection, key);
  await other.changed(first, untilTheTestTimesOut, never);
  await etcd.kill();
  await etcd.restart();
  // The stream that broke is opened anew.
  await watch.changed(first, 100, never);
  const { header } = await connection.range({ key }, call());
  const repeated = watch.changed(Number(header.revision), untilTheTestTimesOut, never);
  await put('c');
  await repeated;
  const stop = new AbortController();
  const endless = watch.changed(Number(header.revision) + 1, untilTheTestTimesOut, stop.signal);
  stop.abort();
  await endless;
  assert.ok(stop.signal.aborted);
});

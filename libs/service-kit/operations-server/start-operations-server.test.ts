import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createMetrics } from '@binnacle/telemetry';
import { createHealth } from '../health/health.ts';
import { type OperationsServer, startOperationsServer } from './start-operations-server.ts';

const failures: string[] = [];
const health = createHealth({
  checkTimeoutMs: 100,
  onFailure: (name, error) => failures.push(`${name}: ${(error as Error).message}`),
});
const metrics = createMetrics();
let broken = false;
let server: OperationsServer;

before(async () => {
  health.add('etcd', () => {
    if (broken) throw new Error('password wrong');
  });
  health.add('poststarthook/start', async () => {}, { live: true });
  metrics
    .counter({ name: 'test_total', help: 'A test.', labelNames: ['kind'] })
    .labels('a "b"')
    .inc(2);
  server = await startOperationsServer({ port: 0, health, metrics });
});
after(() => server[Symbol.asyncDispose]());

async function get(path: string): Promise<{ status: number; body: string; type: string | null }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, body: await response.text(), type: response.headers.get('content-type') };
}

const healthy: [path: string, body: string][] = [
  ['/livez', 'ok'],
  ['/readyz', 'ok'],
  ['/healthz', 'ok'],
  ['/livez?verbose', '[+]ping ok\n[+]poststarthook/start ok\nhealthz check passed\n'],
  [
    '/readyz?verbose',
    '[+]ping ok\n[+]shutdown ok\n[+]etcd ok\n[+]poststarthook/start ok\nhealthz check passed\n',
  ],
  [
    '/healthz?verbose&exclude=etcd&exclude=x',
    '[+]ping ok\n[+]etcd excluded: ok\n[+]poststarthook/start ok\nhealthz check passed\n',
  ],
  ['/readyz/etcd', 'ok'],
  ['/livez/poststarthook/start?verbose', '[+]poststarthook/start ok\nhealthz check passed\n'],
];

test('healthy checks answer 200', async () => {
  for (const [path, body] of healthy)
    assert.deepEqual(await get(path), { status: 200, body, type: 'text/plain; charset=utf-8' });
});

test('a failing check answers 500 without the reason, which is logged', async () => {
  broken = true;
  const { status, body } = await get('/readyz');
  assert.equal(status, 500);
  assert.equal(
    body,
    '[+]ping ok\n[+]shutdown ok\n[-]etcd failed: reason withheld\n[+]poststarthook/start ok\nreadyz check failed\n',
  );
  assert.deepEqual(failures, ['etcd: password wrong']);
  assert.equal((await get('/readyz?exclude=etcd')).status, 200);
  assert.equal((await get('/livez')).status, 200);
  broken = false;
});

test('a check that does not end fails', async () => {
  const hanging = createHealth({ checkTimeoutMs: 20 });
  hanging.add('slow', () => new Promise(() => {}));
  assert.equal((await hanging.answer({ endpoint: 'readyz' })).status, 500);
});

test('a stopping process is alive but not ready', async () => {
  const stopping = createHealth();
  stopping.startShutdown();
  assert.equal((await stopping.answer({ endpoint: 'readyz' })).status, 500);
  assert.equal((await stopping.answer({ endpoint: 'livez' })).status, 200);
});

test('unknown checks and paths are answered with 404', async () => {
  for (const path of ['/readyz/nothing', '/nothing']) assert.equal((await get(path)).status, 404);
});

test('metrics are in the text format and include those of the process', async () => {
  const { status, body, type } = await get('/metrics');
  assert.equal(status, 200);
  assert.match(type ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(body, /test_total\{kind="a \\"b\\""\} 2/);
  assert.match(body, /process_cpu_seconds_total/);
  assert.match((await get('/metrics')).body, /test_total\{kind="a \\"b\\""\} 2/);
});

test('connections without a complete request are closed, and do not delay the stop', async () => {
  const own = createMetrics({ process: false });
  const impatient = await startOperationsServer({ port: 0, health, metrics: own, timeoutMs: 50 });
  for (const text of ['', 'GET /livez HTTP/1.1\r\nHost: x\r\n']) {
    const socket = connect({ port: impatient.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {}).resume();
    socket.write(text);
    await once(socket, 'end');
    socket.destroy();
  }
  await impatient[Symbol.asyncDispose]();
  const patient = await startOperationsServer({
    port: 0,
    health,
    metrics: createMetrics({ process: false }),
  });
  const silent = connect({ port: patient.port, host: '127.0.0.1', allowHalfOpen: true });
  silent.on('error', () => {}).resume();
  await once(silent, 'connect');
  await patient[Symbol.asyncDispose]();
  silent.destroy();
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findFreePort } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type AddedGateway, type Distributed, startDistributed } from './start-distributed.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'binnacle-distributed-'));
const run = join(dataDirectory, 'run');
const port = await findFreePort();
let distributed: Distributed | undefined;
let added: AddedGateway | undefined;

after(async () => {
  await distributed?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const names = [
  ...['admission-1', 'controller-manager-1', 'etcd-1', 'gateway-1', 'gateway-2', 'kafka-1', 'redis-1'],
  ...['storage-1', 'storage-2', 'token-review-1', 'webhook-dispatch-1'],
];
const unexpected: string[] = [];

function start(): Promise<Distributed> {
  return startDistributed({ dataDirectory, port, onUnexpectedExit: text => unexpected.push(text) });
}

test('every process of the distributed form starts and tells its process id', async () => {
  distributed = await start();
  assert.deepEqual([...distributed.processes.keys()].sort(), names);
  for (const name of names) {
    const pid = Number(readFileSync(join(run, `${name}.pid`), 'utf8'));
    assert.equal(pid, distributed.process(name).pid);
    assert.ok(existsSync(join(run, `${name}.log`)));
  }
  assert.deepEqual(distributed.gateways, [`https://127.0.0.1:${port}`, `https://127.0.0.1:${port + 1}`]);
});

test('a token of a service account that one gateway issues is known at the other', async () => {
  assert.ok(distributed);
  const configuration = loadClientConfiguration(distributed.adminConfiguration);
  const clientOf = (server: string) =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'test' });
  const [first = '', second = ''] = distributed.gateways;
  await using issuing = clientOf(first);
  await using reviewing = clientOf(second);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const post = <T>(client: ApiClient, path: string, body: object) =>
    client.request<T>({ method: 'POST', path, body });
  await post(issuing, accounts, { metadata: { name: 'robot' } });
  const { status } = await post<{ status: { token: string } }>(issuing, `${accounts}/robot/token`, {
    spec: {},
  });
  const review = await post<{ status: { authenticated: boolean; user: { username: string } } }>(
    reviewing,
    '/apis/authentication.cluster.io/v1/tokenreviews',
    { spec: { token: status.token } },
  );
  assert.equal(review.status.authenticated, true);
  assert.equal(review.status.user.username, 'system:serviceaccount:default:robot');
});

test('a gateway with flags of its own is added, and serves what the others have stored', async () => {
  assert.ok(distributed);
  added = await distributed.addGateway('--runtime-config=batch/v1=false');
  const configuration = loadClientConfiguration(distributed.adminConfiguration);
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const account = '/api/v1/namespaces/default/serviceaccounts/robot';
  for (const [server, path, code] of [
    [distributed.gateways[0], jobs, 200],
    [added.url, jobs, 404],
    [added.url, account, 200],
  ] as const) {
    await using client = createApiClient({
      configuration: { ...configuration, servers: [server ?? ''] },
      userAgent: 'test',
    });
    const answer = await client.request({ method: 'GET', path }).then(
      () => 200,
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    assert.equal(answer, code, `${server}${path}`);
  }
});

test('a data folder serves one distributed form at a time', async () => {
  await assert.rejects(start(), /another distributed form uses/);
});

test('processes that are killed can be started again, and the whole becomes ready', async () => {
  assert.ok(distributed);
  const victims = ['gateway-2', 'storage-1', 'etcd-1', 'redis-1'].map(name => distributed!.process(name));
  await Promise.all(victims.map(victim => victim.kill()));
  assert.ok(victims.every(victim => !victim.running));
  await Promise.all(victims.map(victim => victim.restart()));
  await distributed.waitUntilReady();
  assert.deepEqual(unexpected, []);
});

test('it stops as a whole and leaves no process id behind', async () => {
  assert.ok(distributed);
  assert.ok(added?.process.running);
  const pids = [...distributed.processes.values(), added.process].map(child => child.pid!);
  await distributed.stop();
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.deepEqual(
    readdirSync(run).filter(file => file.endsWith('.pid')),
    [],
  );
});

test('it starts again on the data that it left', async () => {
  distributed = await start();
  assert.ok([...distributed.processes.values()].every(child => child.running));
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

const path = '/api/v1/componentstatuses';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

const names = async (query: string) =>
  (await server.call('GET', `${path}?${query}`)).json.items.map(({ metadata }) => metadata.name);

test('component statuses show the health of components, and a deprecation warning', async () => {
  const list = await server.call('GET', path);
  assert.equal(list.code, 200, list.text);
  assert.equal(list.json.kind, 'ComponentStatusList');
  assert.match(String(list.headers['warning']), /^299 - "v1 ComponentStatus is deprecated/);
  const one = await server.call('GET', `${path}/etcd-0`);
  assert.deepEqual(JSON.parse(one.text), {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  });
  assert.match(String(one.headers['warning']), /^299 /);
});

test('component statuses have a table with columns of their own', async () => {
  const headers = { Accept: 'application/json;as=Table;g=meta.cluster.io;v=v1' };
  const { json } = await server.call('GET', path, { headers });
  assert.deepEqual(
    json.rows.map(({ cells }) => cells),
    [['etcd-0', 'Healthy', 'ok', '']],
  );
});

test('component statuses can be selected by name, and have no labels', async () => {
  assert.deepEqual(await names('fieldSelector=metadata.name%3Detcd-0'), ['etcd-0']);
  assert.deepEqual(await names('fieldSelector=metadata.name%3Dother'), []);
  assert.deepEqual(await names('labelSelector=a'), []);
  assert.equal((await server.call('GET', `${path}/other`)).json.reason, 'NotFound');
});

test('component statuses can only be read', async () => {
  for (const [method, target] of [
    ['POST', path],
    ['PUT', `${path}/etcd-0`],
    ['DELETE', `${path}/etcd-0`],
    ['DELETE', path],
    ['GET', `${path}?watch=true`],
  ] as const)
    assert.equal((await server.call(method, target, method === 'GET' ? {} : { body: {} })).code, 405, method);
});

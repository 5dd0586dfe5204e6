import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

let server: ApiServer;
before(async () => {
  server = await startApiServer();
});
after(() => server[Symbol.asyncDispose]());

const collector = 'system:serviceaccount:cluster-system:generic-garbage-collector';
const maps = '/api/v1/namespaces/default/configmaps';
const events = '/api/v1/namespaces/default/events';

const cases: readonly [method: string, path: string, code: number, body?: object][] = [
  ['GET', maps, 200],
  ['GET', '/apis/rbac.authorization.cluster.io/v1/clusterroles', 200],
  ['GET', '/apis', 200],
  ['POST', maps, 403, { metadata: { name: 'x' } }],
  ['DELETE', maps, 403],
  ['PATCH', `${maps}/nobody`, 404, { metadata: { ownerReferences: [] } }],
  ['DELETE', `${maps}/nobody`, 404],
  [
    'POST',
    events,
    201,
    { metadata: { name: 'x', namespace: 'default' }, involvedObject: { namespace: 'default' } },
  ],
];

for (const [method, path, code, body] of cases) {
  test(`the account of the collector gets ${code} for ${method} ${path}`, async () => {
    const headers = {
      'Impersonate-User': collector,
      ...(method === 'PATCH' && { 'Content-Type': 'application/merge-patch+json' }),
    };
    const answer = await server.call(method, path, { headers, ...(body && { body }) });
    assert.equal(answer.code, code, answer.text);
  });
}

test('the work of the garbage collector is measured', async () => {
  const owner = await server.call('POST', maps, { body: { metadata: { name: 'owner' } } });
  const { uid } = (JSON.parse(owner.text) as { metadata: { uid: string } }).metadata;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
  const body = { metadata: { name: 'dependent', ownerReferences: [reference] } };
  await server.call('POST', maps, { body });
  await server.call('DELETE', `${maps}/owner`);
  await until('the dependent goes', async () => (await server.call('GET', `${maps}/dependent`)).code === 404);
  const { text } = await server.call('GET', '/metrics');
  assert.match(
    text,
    /^garbage_collector_deletions_total\{resource="configmaps",propagation="Background"\} 1$/m,
  );
  assert.match(text, /^garbage_collector_graph_objects [1-9]\d+$/m);
  assert.match(text, /^garbage_collector_followed_types [1-9]\d+$/m);
});

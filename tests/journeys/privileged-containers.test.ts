import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiServer, startApiServer } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const pods = '/api/v1/namespaces/a/pods';
const deployments = '/apis/apps/v1/namespaces/a/deployments';
const merge = { 'Content-Type': 'application/merge-patch+json' };
const spec = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] };
const pod = (name: string) => ({ metadata: { name, finalizers: ['x.io/hold'] }, spec });
const labels = { app: 'x' };
const deployment = (name: string) => ({
  metadata: { name },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
});

async function codes(server: ApiServer, name: string): Promise<number[]> {
  return [
    (await server.call('POST', pods, { body: pod(name) })).code,
    (await server.call('POST', deployments, { body: deployment(name) })).code,
  ];
}

test('privileged containers are allowed unless a flag refuses them, and existing ones are kept', async () => {
  await using directory = await createTemporaryDirectory();
  const options = { dataDir: directory.path, disableAdmissionPlugins: ['ServiceAccount'] };
  {
    await using server = await startApiServer(options);
    await server.namespace('a');
    assert.deepEqual(await codes(server, 'old'), [201, 201]);
  }
  await using server = await startApiServer({ ...options, allowPrivileged: false });
  assert.deepEqual(await codes(server, 'new'), [422, 422]);
  const { json } = await server.call('POST', pods, { body: pod('new') });
  assert.deepEqual(
    json.details.causes.map(({ reason, field }) => [reason, field]),
    [['FieldValueForbidden', 'spec.containers[0].securityContext.privileged']],
  );
  const debugger$ = { spec: { ephemeralContainers: [{ ...spec.containers[0], name: 'e' }] } };
  const debug = await server.call('PATCH', `${pods}/old/ephemeralcontainers`, {
    headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
    body: debugger$,
  });
  assert.equal(debug.code, 422, debug.text);
  for (const [where, body] of [
    [`${pods}/old`, { metadata: { labels: { a: 'b' } } }],
    [`${deployments}/old`, { metadata: { labels: { a: 'b' } } }],
    [`${pods}/old/status`, { status: { phase: 'Running' } }],
  ] as const) {
    const { code, text } = await server.call('PATCH', where, { headers: merge, body });
    assert.equal(code, 200, text);
  }
  const scaled = { headers: merge, body: { spec: { replicas: 2 } } };
  assert.equal(
    (await server.call('PATCH', `${deployments}/old`, scaled)).code,
    422,
    'its specification changes',
  );
  assert.equal((await server.call('DELETE', `${pods}/old?gracePeriodSeconds=0`)).code, 200);
  const released = { metadata: { finalizers: null } };
  assert.equal((await server.call('PATCH', `${pods}/old`, { headers: merge, body: released })).code, 200);
  assert.equal((await server.call('GET', `${pods}/old`)).code, 404);
});

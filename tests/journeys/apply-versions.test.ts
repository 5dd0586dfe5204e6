import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { at } from './admin-server.ts';
import type { ApiServer, Call } from './api-server.ts';
import { listManagers } from './apply-as-manager.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('apply-versions');
});
after(() => server?.[Symbol.asyncDispose]());

const rbac = '/apis/rbac.authorization.cluster.io/v1';
const applyPatch = 'application/apply-patch+yaml';

async function expect(code: number, method: string, path: string, call: Call = {}): Promise<JsonObject> {
  const answer = await server.call(method, path, call);
  assert.equal(answer.code, code, `${method} ${path}: ${answer.text}`);
  return JSON.parse(answer.text);
}

function applied(code: number, path: string, [manager, body]: readonly [string, JsonObject]) {
  const headers = { 'Content-Type': applyPatch };
  const query = `${path.includes('?') ? '&' : '?'}fieldManager=${manager}`;
  return expect(code, 'PATCH', `${path}${query}`, { body, headers });
}

const autoscalers = (version: string) =>
  `/apis/autoscaling/${version}/namespaces/apply-versions/horizontalpodautoscalers`;
const autoscaler = (version: string, name: string, spec: JsonObject): JsonObject => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...spec },
});
const usage = (averageUtilization: number): JsonObject => ({
  metrics: [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } },
  ],
});

test('managers are recorded in the version of their request, and conflict across versions', async () => {
  await applied(201, `${autoscalers('v1')}/a`, [
    'm1',
    autoscaler('v1', 'a', { maxReplicas: 3, targetCPUUtilizationPercentage: 50 }),
  ]);
  const object = await applied(200, `${autoscalers('v2')}/a`, [
    'm2',
    autoscaler('v2', 'a', { minReplicas: 2 }),
  ]);
  assert.deepEqual(
    listManagers(object).map(manager => manager.split(':')[0]),
    ['m1 Apply autoscaling/v1', 'm2 Apply autoscaling/v2'],
  );
  assert.deepEqual(at(object, 'spec', 'metrics'), usage(50)['metrics']);
  const conflict = await applied(409, `${autoscalers('v2')}/a`, [
    'm2',
    autoscaler('v2', 'a', { minReplicas: 2, maxReplicas: 5, ...usage(60) }),
  ]);
  const causes = objectsAt(conflict, 'details', 'causes');
  assert.deepEqual(
    causes.map(({ message, field }) => `${message} ${field}`),
    ['conflict with "m1" .spec.maxReplicas', 'conflict with "m1" .spec.targetCPUUtilizationPercentage'],
  );
  const taken = await applied(200, `${autoscalers('v2')}/a?force=true`, [
    'm2',
    autoscaler('v2', 'a', { minReplicas: 2, ...usage(60) }),
  ]);
  assert.doesNotMatch(listManagers(taken).find(manager => manager.startsWith('m1')) ?? '', /CPU/);
  const shown = await expect(200, 'GET', `${autoscalers('v1')}/a`);
  assert.deepEqual(listManagers(shown), listManagers(taken));
  assert.equal(at(shown, 'spec', 'targetCPUUtilizationPercentage'), 60);
});

test('a manager that continues in another version removes the fields that it no longer applies', async () => {
  await applied(201, `${autoscalers('v1')}/b`, [
    'm1',
    autoscaler('v1', 'b', { maxReplicas: 3, minReplicas: 2, targetCPUUtilizationPercentage: 50 }),
  ]);
  const object = await applied(200, `${autoscalers('v2')}/b`, [
    'm1',
    autoscaler('v2', 'b', { maxReplicas: 3 }),
  ]);
  assert.equal(at(object, 'spec', 'minReplicas'), 1);
  assert.deepEqual(
    listManagers(object).map(manager => manager.split(':')[0]),
    ['m1 Apply autoscaling/v2'],
  );
});

test('an event is the same object in both groups', async () => {
  const events = '/apis/events.cluster.io/v1/namespaces/apply-versions/events';
  const regarding = { kind: 'Pod', namespace: 'apply-versions', name: 'p' };
  const body: JsonObject = {
    apiVersion: 'events.cluster.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'Because',
    type: 'Normal',
    regarding,
  };
  await applied(201, `${events}/e`, ['m1', body]);
  const other = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, reason: 'Otherwise' };
  const conflict = await applied(409, '/api/v1/namespaces/apply-versions/events/e', ['m2', other]);
  assert.equal(at(conflict, 'details', 'causes', 0, 'field'), '.reason');
});

const ingress = (apiVersion: string, ingressClassName: string): JsonObject => ({
  apiVersion,
  kind: 'Ingress',
  metadata: { name: 'i' },
  spec: { ingressClassName, defaultBackend: { service: { name: 's', port: { number: 80 } } } },
});

test('a group and its alias are the same group', async () => {
  const [alias, canonical] = ['networking.k8s.io/v1', 'networking.cluster.io/v1'];
  const path = (apiVersion: string) => `/apis/${apiVersion}/namespaces/apply-versions/ingresses/i`;
  const created = await applied(201, path(alias), ['m1', ingress(alias, 'a')]);
  assert.equal(created['apiVersion'], alias);
  const shared = await applied(200, path(canonical), ['m1', ingress(canonical, 'a')]);
  assert.equal(at(shared, 'metadata', 'resourceVersion'), at(created, 'metadata', 'resourceVersion'));
  const mixed = await applied(200, path(canonical), ['m1', ingress(alias, 'a')]);
  assert.deepEqual(mixed, shared);
  await applied(409, path(alias), ['m2', ingress(alias, 'b')]);
  const read = await expect(200, 'GET', path(alias));
  const put = await expect(200, 'PUT', path(alias), { body: read });
  assert.deepEqual(listManagers(put), listManagers(read));
  assert.deepEqual(await expect(200, 'GET', path(canonical)), shared);
});

test('13: an apply needs the permission to patch, and to create what is not there', async () => {
  const alice = { token: 'alicetoken', headers: { 'Content-Type': applyPatch } };
  const send = (name: string, colour: string) =>
    server.call(
      'PATCH',
      `/api/v1/namespaces/apply-versions/configmaps/${name}?fieldManager=alice&force=true`,
      {
        ...alice,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { colour } },
      },
    );
  assert.equal((await send('p', 'red')).code, 403);
  const role = {
    metadata: { name: 'patcher' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }],
  };
  await expect(201, 'POST', `${rbac}/namespaces/apply-versions/roles`, { body: role });
  const roleRef = { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'patcher' };
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.cluster.io', name: 'alice' }];
  const binding = { metadata: { name: 'patcher' }, roleRef, subjects };
  await expect(201, 'POST', `${rbac}/namespaces/apply-versions/rolebindings`, { body: binding });
  await expect(201, 'POST', '/api/v1/namespaces/apply-versions/configmaps', {
    body: { metadata: { name: 'p' } },
  });
  await eventually(200, () => send('p', 'red'));
  assert.equal((await send('q', 'red')).code, 403);
  await expect(404, 'GET', '/api/v1/namespaces/apply-versions/configmaps/q');
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch', 'create'] }];
  await expect(200, 'PUT', `${rbac}/namespaces/apply-versions/roles/patcher`, { body: { ...role, rules } });
  await eventually(201, () => send('q', 'red'));
});

test('2: the name of a manager is what the user agent says before its first slash', async () => {
  const maps = '/api/v1/namespaces/apply-versions/configmaps';
  const agents: readonly (readonly [agent: string, manager: string])[] = [
    ['my tool/v1 (x)', 'my tool'],
    ['plain', 'plain'],
    ['', 'unknown'],
    [`${'x'.repeat(130)}/1`, 'x'.repeat(128)],
  ];
  for (const [index, [agent, manager]] of agents.entries()) {
    const body = { metadata: { name: `agent-${index}` }, data: { a: '1' } };
    const created = await expect(201, 'POST', maps, { body, headers: { 'User-Agent': agent } });
    assert.equal(at(created, 'metadata', 'managedFields', 0, 'manager'), manager);
  }
});

test('managed fields are in every form of an object', async () => {
  const path = '/api/v1/namespaces/apply-versions/configmaps/shown';
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shown' }, data: { a: '1' } };
  const created = await applied(201, path, ['m1', body]);
  const accept = (Accept: string) => server.call('GET', path, { headers: { Accept } });
  assert.match((await accept('application/yaml')).text, /managedFields:[\s\S]*\bmanager: m1\n/);
  const protobuf = await accept('application/vnd.cluster.protobuf');
  assert.ok(protobuf.bytes.includes('{"f:data":{"f:a":{}}}'));
  const forms = ['PartialObjectMetadata', 'Table'].map(
    kind => `application/json;as=${kind};v=v1;g=meta.cluster.io`,
  );
  const [partial, table] = await Promise.all(forms.map(accept));
  assert.deepEqual(listManagers(JSON.parse(partial?.text ?? '')), listManagers(created));
  assert.deepEqual(
    listManagers(objectAt(JSON.parse(table?.text ?? ''), 'rows', 0, 'object')),
    listManagers(created),
  );
  using watch = await server.watch(
    '/api/v1/namespaces/apply-versions/configmaps?watch=1&fieldSelector=metadata.name%3Dshown',
  );
  await applied(200, path, ['m2', { ...body, data: { b: '2' } }]);
  const giveUp = AbortSignal.timeout(20_000);
  while (watch.events.length < 2 && !giveUp.aborted) await new Promise(setImmediate);
  const objects = watch.events.map(event => listManagers(event.object as unknown as JsonObject)); // A config map.
  assert.deepEqual(objects[1], [...listManagers(created), 'm2 Apply v1: f:data/f:b']);
});

async function eventually(code: number, send: () => Promise<{ readonly code: number }>): Promise<void> {
  const giveUp = AbortSignal.timeout(20_000);
  let last = 0;
  while (last !== code && !giveUp.aborted) last = (await send()).code;
  assert.equal(last, code);
}

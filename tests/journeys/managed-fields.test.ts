import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { apply, listEntries, listManagers } from './apply-as-manager.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';

const configMap = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});

/** The path of a config map that a manager `creator` has created. */
async function created(data: JsonObject, metadata: JsonObject = {}): Promise<string> {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', `${maps}?fieldManager=creator`, { body: configMap(data, metadata) });
  return `${maps}/a`;
}

async function patch(path: string, manager: string, body: JsonValue, contentType = mergePatch) {
  return await server.expect(200, 'PATCH', `${path}?fieldManager=${manager}`, { body, contentType });
}

const get = (path: string) => server.expect(200, 'GET', path);

test('a write is recorded with operation, version, field type and time', async () => {
  const path = await created({ a: '1' });
  const [entry, ...others] = listEntries(await get(path));
  assert.deepEqual(others, []);
  const { time, ...rest } = entry ?? {};
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(rest, {
    manager: 'creator',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
  });
});

test('default values of a creation belong to its manager', async () => {
  const services = `${await server.namespace()}/services`;
  const body = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
  const object = await server.expect(201, 'POST', `${services}?fieldManager=m`, { body });
  const port = 'f:spec/f:ports/k:{"port":80,"protocol":"TCP"}';
  const expected = [
    'f:spec/f:internalTrafficPolicy',
    'f:spec/f:ports/.',
    ...['.', 'f:port', 'f:protocol', 'f:targetPort'].map(field => `${port}/${field}`),
    'f:spec/f:sessionAffinity',
    'f:spec/f:type',
  ];
  assert.deepEqual(listManagers(object), [`m Update v1: ${expected.join(' ')}`]);
});

test('removed fields have no manager, and managers without fields are removed', async () => {
  const path = await created({ a: '1', b: '1' });
  await patch(path, 'm1', { data: { c: '1' } });
  const object = await patch(path, 'm2', { data: { a: null, b: '2', c: null } });
  assert.deepEqual(listManagers(object), ['creator Update v1: f:data', 'm2 Update v1: f:data/f:b']);
});

test('a write without a change keeps resourceVersion, entries and times', async () => {
  const path = await created({ a: '1' });
  const before = await get(path);
  assert.deepEqual(await patch(path, 'm1', { data: { a: '1' } }), before);
  assert.deepEqual(
    await server.expect(200, 'PUT', `${path}?fieldManager=m2`, { body: configMap({ a: '1' }) }),
    before,
  );
  assert.deepEqual(
    await patch(path, 'm3', [{ op: 'replace', path: '/data/a', value: '1' }], jsonPatch),
    before,
  );
});

test('an update and an apply with the same name are two managers, appliers first', async () => {
  const path = await created({ a: '1' });
  await apply(server, path, ['zz', configMap({ z: '1' })]);
  await apply(server, path, ['aa', configMap({ y: '1' })]);
  const object = await patch(path, 'aa', { data: { u: '1' } });
  const heads = listManagers(object).map(manager => manager.split(' v1')[0]);
  assert.deepEqual(heads.slice(0, 2).sort(), ['aa Apply', 'zz Apply']);
  assert.deepEqual(heads.slice(2).sort(), ['aa Update', 'creator Update']);
});

test('a write to status is recorded as such, without fields that it cannot change', async () => {
  const services = `${await server.namespace()}/services`;
  const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] };
  await server.expect(201, 'POST', `${services}?fieldManager=m`, { body: { metadata: { name: 's' }, spec } });
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const object = await patch(`${services}/s/status`, 'st', { status, spec: { type: 'ClusterIP' } });
  assert.deepEqual(listManagers(object).slice(1), ['st Update v1 status: f:status/f:loadBalancer/f:ingress']);
});

test('14: a single empty entry resets managed fields, in patches and updates', async () => {
  const reset = [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }];
  for (const send of [
    (path: string) => patch(path, 'm1', { metadata: { managedFields: [{}] } }),
    (path: string) => patch(path, 'm1', reset, jsonPatch),
    (path: string) =>
      server.expect(200, 'PUT', path, { body: configMap({ a: '1' }, { managedFields: [{}] }) }),
  ]) {
    const path = await created({ a: '1' });
    assert.deepEqual(listEntries(await send(path)), []);
    assert.deepEqual(listEntries(await patch(path, 'm2', { data: { b: '1' } })), []);
    const conflict = await apply(server, path, ['m3', configMap({ a: '2' }), { code: 409 }]);
    assert.match(String(conflict['message']), /"before-first-apply" using v1/);
  }
});

test('14: other changes of such a write belong to its manager', async () => {
  const path = await created({ a: '1', b: '1' });
  const object = await patch(path, 'm1', { metadata: { managedFields: [{}] }, data: { b: '2' } });
  assert.deepEqual(listManagers(object), ['m1 Update v1: f:data/f:b']);
});

test('14: an empty list in a patch resets nothing', async () => {
  const path = await created({ a: '1' });
  const before = await get(path);
  assert.deepEqual(await patch(path, 'm1', { metadata: { managedFields: [] } }), before);
  const replaced = [{ op: 'replace', path: '/metadata/managedFields', value: [] }];
  assert.deepEqual(await patch(path, 'm1', replaced, jsonPatch), before);
  const put = { body: configMap({ a: '1' }, { managedFields: [] }) };
  assert.deepEqual(listEntries(await server.expect(200, 'PUT', path, put)), []);
});

test('omitted managed fields are kept', async () => {
  const path = await created({ a: '1' });
  const put = await server.expect(200, 'PUT', `${path}?fieldManager=m1`, {
    body: configMap({ a: '1', b: '1' }),
  });
  assert.deepEqual(listManagers(put), ['creator Update v1: f:data/. f:data/f:a', 'm1 Update v1: f:data/f:b']);
  const nulled = await patch(path, 'm2', { metadata: { managedFields: null }, data: { c: '1' } });
  assert.equal(listEntries(nulled).length, 3);
});

const entry = { manager: 'q', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
const unreadable: readonly [what: string, entry: JsonObject][] = [
  ['another operation', { ...entry, operation: 'Foo', fieldsV1: {} }],
  ['no version', { ...entry, apiVersion: '', fieldsV1: { 'f:data': {} } }],
  ['a version that is none', { ...entry, apiVersion: 'a/b/c', fieldsV1: { 'f:data': {} } }],
  ['fields of another type', { ...entry, fieldsType: 'FieldsV2', fieldsV1: { 'f:data': {} } }],
  ['fields that are none', { ...entry, fieldsV1: { bogus: {} } }],
  ['fields with values', { ...entry, fieldsV1: { 'f:data': 1 } }],
];

test('invalid entries never fail a request', async () => {
  for (const [what, sent] of unreadable) {
    const path = await created({ a: '1' });
    const body = configMap({ a: '1', b: '1' }, { managedFields: [sent] });
    const { code, body: object } = await server.send('PUT', `${path}?fieldManager=m1`, { body });
    assert.equal(code, 200, what);
    assert.ok(listManagers(object).includes('m1 Update v1: f:data/f:b'), what);
    assert.ok(!listManagers(object).some(manager => manager.startsWith('q')), what);
  }
});

test('a creation may have entries of other managers', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const managedFields = [{ ...entry, fieldsV1: { 'f:data': { 'f:other': {} } } }];
  const body = configMap({ a: '1' }, { managedFields });
  const object = await server.expect(201, 'POST', `${maps}?fieldManager=m1`, { body });
  assert.deepEqual(listManagers(object).sort(), [
    'm1 Update v1: f:data/. f:data/f:a',
    'q Update v1: f:data/f:other',
  ]);
});

test('of more than ten update managers the oldest are merged', async () => {
  const path = await created({ a: '1' });
  let object: JsonObject = {};
  for (let index = 0; index < 12; index++)
    object = await patch(path, `m${index}`, { data: { [`k${index}`]: '1' } });
  assert.equal(listEntries(object).length, 10);
  assert.ok(listEntries(object).some(({ manager }) => manager === 'ancient-changes'));
  const applied = await apply(server, path, ['applier', configMap({ z: '1' })]);
  assert.equal(listEntries(applied).length, 11);
  assert.deepEqual(Object.keys(objectAt(applied, 'data')).length, 14);
});

test('managed fields are unchanged in every form', async () => {
  const path = await created({ a: '1' });
  const [expected] = listManagers(await get(path));
  const list = await get(path.slice(0, -2));
  assert.deepEqual(listManagers(objectsAt(list, 'items')[0] ?? {}), [expected]);
  const dry = await server.expect(200, 'PATCH', `${path}?dryRun=All&fieldManager=m1`, {
    body: { data: { b: '1' } },
    contentType: mergePatch,
  });
  assert.deepEqual(listManagers(dry), [expected, 'm1 Update v1: f:data/f:b']);
  const deleted = await server.expect(200, 'DELETE', path.slice(0, -2));
  assert.deepEqual(listManagers(objectsAt(deleted, 'items')[0] ?? {}), [expected]);
});

async function deployment(): Promise<string> {
  const path = `${(await server.namespace()).replace('/api/v1', '/apis/apps/v1')}/deployments/a`;
  const labels = { a: 'b' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await apply(server, path, [
    'm1',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec },
    { code: 201 },
  ]);
  return path;
}

const scale = (replicas: number): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a' },
  spec: { replicas },
});
const replicasManagers = (object: JsonObject) =>
  listManagers(object)
    .filter(manager => manager.includes('f:replicas'))
    .map(manager => manager.split(':')[0]);

test('the replicas of a Scale have the managers of the object', async () => {
  const path = await deployment();
  assert.deepEqual(replicasManagers(await get(path)), ['m1 Apply apps/v1']);
  await server.expect(200, 'PUT', `${path}/scale?fieldManager=hpa`, { body: scale(2) });
  assert.deepEqual(replicasManagers(await get(path)), ['hpa Update apps/v1 scale']);
  await patch(`${path}/scale`, 'other', { spec: { replicas: 3 } });
  assert.deepEqual(replicasManagers(await get(path)), ['other Update apps/v1 scale']);
  const before = await get(path);
  await patch(`${path}/scale`, 'third', { spec: { replicas: 3 } });
  assert.deepEqual(await get(path), before);
});

test('a Scale can be applied, and conflicts with other managers of the replicas', async () => {
  const path = await deployment();
  const conflict = await apply(server, `${path}/scale`, ['sc', scale(3), { code: 409 }]);
  assert.deepEqual(at(conflict, 'details', 'causes', 0, 'message'), 'conflict with "m1"');
  const forced = await apply(server, `${path}/scale`, ['sc', scale(3), { force: true }]);
  assert.deepEqual(forced['spec'], { replicas: 3 });
  assert.deepEqual(replicasManagers(await get(path)), ['sc Apply apps/v1 scale']);
  const before = await get(path);
  await apply(server, `${path}/scale`, ['sc', scale(3)]);
  assert.deepEqual(await get(path), before);
  const refused = await apply(server, `${path}/scale`, ['', scale(3), { code: 422 }]);
  assert.equal(refused['reason'], 'Invalid');
});

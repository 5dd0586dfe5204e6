import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings } from './admin-server.ts';
import { apply, listEntries, listManagers } from './apply-as-manager.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const configMap = (name: string, data?: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data === undefined ? {} : { data }),
});
const service = (spec: JsonObject, rest: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a' },
  spec,
  ...rest,
});

/** The path of a config map that does not exist yet, in a namespace of its own. */
async function mapPath(): Promise<string> {
  return `${await server.namespace()}/configmaps/a`;
}

async function servicePath(): Promise<string> {
  return `${await server.namespace()}/services/a`;
}

function conflictsIn(status: JsonObject): JsonValue {
  assert.equal(status['reason'], 'Conflict');
  assert.equal(at(status, 'details', 'name'), undefined);
  const causes = at(status, 'details', 'causes');
  assert.ok(Array.isArray(causes));
  return causes.map(cause => {
    assert.equal(at(cause, 'reason'), 'FieldManagerConflict');
    return `${at(cause, 'message')} ${at(cause, 'field')}`;
  });
}

test('1: a manager that applies equal values has no time until it changes a value', async () => {
  const path = await mapPath();
  const readTimes = (object: JsonObject) =>
    Object.fromEntries(listEntries(object).map(({ manager, time }) => [String(manager), typeof time]));
  await apply(server, path, ['m1', configMap('a', { a: '1' }), { code: 201 }]);
  const shared = await apply(server, path, ['m2', configMap('a', { a: '1' })]);
  assert.deepEqual(readTimes(shared), { m1: 'string', m2: 'undefined' });
  assert.deepEqual(await apply(server, path, ['m2', configMap('a', { a: '1' })]), shared);
  const grown = await apply(server, path, ['m2', configMap('a', { a: '1', b: '2' })]);
  assert.deepEqual(readTimes(grown), { m1: 'string', m2: 'string' });
});

test('2: an apply requires a field manager, and other writes have one from the user agent', async () => {
  const path = await mapPath();
  const refused = await apply(server, path, ['', configMap('a'), { code: 422 }]);
  assert.deepEqual(findings(refused), ['Invalid', 'FieldValueRequired fieldManager']);
  const tooLong = await apply(server, path, ['x'.repeat(129), configMap('a'), { code: 422 }]);
  assert.deepEqual(findings(tooLong), ['Invalid', 'FieldValueTooLong fieldManager']);
  const unprintable = await apply(server, path, ['a\u0007', configMap('a'), { code: 422 }]);
  assert.deepEqual(findings(unprintable), ['Invalid', 'FieldValueInvalid fieldManager']);
});

const refusedConfigurations: readonly [what: string, body: JsonValue][] = [
  ['managedFields', configMap('a', {}, { managedFields: [{ manager: 'x' }] })],
  ['an empty list of managedFields', configMap('a', {}, { managedFields: [] })],
  ['another name', configMap('b')],
  ['another namespace', configMap('a', {}, { namespace: 'other' })],
  ['another kind', { ...configMap('a'), kind: 'Secret' }],
  ['no kind', { apiVersion: 'v1', metadata: { name: 'a' } }],
  ['another version', { ...configMap('a'), apiVersion: 'v2' }],
  ['no version', { kind: 'ConfigMap', metadata: { name: 'a' } }],
  ['a value of the wrong type', configMap('a', { a: 1 })],
  ['an element of a set twice', configMap('a', {}, { finalizers: ['example.com/a', 'example.com/a'] })],
  ['a list', '[]'],
  ['text that is no YAML', 'a: ['],
  ['nothing', ''],
];

test('3: an invalid configuration is refused, and changes nothing', async () => {
  const path = await mapPath();
  const before = await apply(server, path, ['m1', configMap('a', { a: '1' }), { code: 201 }]);
  for (const [what, body] of refusedConfigurations) {
    const { code, body: status } = await server.send('PATCH', `${path}?fieldManager=m1`, {
      body,
      contentType: 'application/apply-patch+yaml',
    });
    assert.deepEqual([what, code, status['reason']], [what, 400, 'BadRequest']);
  }
  assert.deepEqual(await server.expect(200, 'GET', path), before);
});

test('3: a configuration without a name creates nothing', async () => {
  const path = await mapPath();
  const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a' } };
  await apply(server, path, ['m1', nameless, { code: 400 }]);
  await server.expect(404, 'GET', path);
});

test('5: another value is a conflict for an apply, and replaces the manager in an update', async () => {
  const path = await mapPath();
  await apply(server, path, ['m1', configMap('a', { a: '1', b: '1' }), { code: 201 }]);
  const both = await apply(server, path, ['m2', configMap('a', { a: '2', b: '2' }), { code: 409 }]);
  assert.deepEqual(conflictsIn(both), ['conflict with "m1" .data.a', 'conflict with "m1" .data.b']);
  const dry = await apply(server, path, [
    'm2',
    configMap('a', { a: '2' }),
    { code: 409, query: 'dryRun=All' },
  ]);
  assert.deepEqual(conflictsIn(dry), ['conflict with "m1" .data.a']);
  const updated = await server.expect(200, 'PUT', `${path}?fieldManager=m3`, {
    body: configMap('a', { a: '3', b: '1' }),
  });
  assert.deepEqual(listManagers(updated), ['m1 Apply v1: f:data/f:b', 'm3 Update v1: f:data/f:a']);
});

test('12: an apply needs no resourceVersion or uid, and those that it has are preconditions', async () => {
  const path = await mapPath();
  const uid = await apply(server, path, ['m1', configMap('a', {}, { uid: 'u' }), { code: 409 }]);
  assert.equal(uid['reason'], 'Conflict');
  const created = await apply(server, path, [
    'm1',
    configMap('a', { a: '1' }, { resourceVersion: '5' }),
    { code: 201 },
  ]);
  const resourceVersion = String(at(created, 'metadata', 'resourceVersion'));
  const changed = await apply(server, path, ['m1', configMap('a', { a: '2' }, { resourceVersion })]);
  assert.equal(at(changed, 'data', 'a'), '2');
  const stale = await apply(server, path, [
    'm1',
    configMap('a', { a: '3' }, { resourceVersion }),
    { code: 409 },
  ]);
  assert.match(String(stale['message']), /the object has been modified/);
  const other = await apply(server, path, ['m1', configMap('a', { a: '3' }, { uid: 'u' }), { code: 422 }]);
  assert.deepEqual(findings(other), ['Invalid', 'FieldValueInvalid metadata.uid']);
});

test('a dry run returns the result and stores nothing', async () => {
  const path = await mapPath();
  const dry = await apply(server, path, [
    'm1',
    configMap('a', { a: '1' }),
    { code: 201, query: 'dryRun=All' },
  ]);
  assert.equal(at(dry, 'metadata', 'resourceVersion'), undefined);
  assert.deepEqual(listManagers(dry), ['m1 Apply v1: f:data/f:a']);
  await server.expect(404, 'GET', path);
  const created = await apply(server, path, ['m1', configMap('a', { a: '1' }), { code: 201 }]);
  const changed = await apply(server, path, [
    'm2',
    configMap('a', { a: '2' }),
    { force: true, query: 'dryRun=All' },
  ]);
  assert.deepEqual(listManagers(changed), ['m2 Apply v1: f:data/f:a']);
  assert.deepEqual(await server.expect(200, 'GET', path), created);
});

test('duplicate keys are a warning, or refused under Strict', async () => {
  const path = await mapPath();
  const twice = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "1"}\ndata: {b: "1"}\n';
  const contentType = 'application/apply-patch+yaml';
  const strict = `${path}?fieldManager=m1&fieldValidation=Strict`;
  await server.expect(400, 'PATCH', strict, { body: twice, contentType });
  const warned = await server.send('PATCH', `${path}?fieldManager=m1`, { body: twice, contentType });
  assert.deepEqual([warned.code, warned.body['data']], [201, { b: '1' }]);
  assert.deepEqual(warned.warnings, ['line 5: key "data" already set in map']);
  const ignored = `${path}?fieldManager=m1&fieldValidation=Ignore`;
  assert.deepEqual((await server.send('PATCH', ignored, { body: twice, contentType })).warnings, []);
});

test('the status is managed by writes to status, and other fields by other writes', async () => {
  const path = await servicePath();
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const type = 'LoadBalancer';
  const created = await apply(server, path, [
    'm1',
    service({ type, ports: [{ port: 80 }] }, { status }),
    { code: 201 },
  ]);
  assert.deepEqual(created['status'], { loadBalancer: {} });
  assert.doesNotMatch(listManagers(created).join(), /status/);
  const written = await apply(server, `${path}/status`, [
    'balancer',
    service({ type: 'ClusterIP' }, { status }),
  ]);
  assert.deepEqual(written['status'], status);
  assert.equal(at(written, 'spec', 'type'), type);
  // The order of entries is that of their seconds.
  assert.ok(listManagers(written).includes('balancer Apply v1 status: f:status/f:loadBalancer/f:ingress'));
  await apply(server, `${await servicePath()}/status`, ['m1', service({}), { code: 404 }]);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings } from './admin-server.ts';
import { apply, entriesOf, managersOf } from './apply-as-manager.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';

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

test('1: an apply creates what is not there, and merges into what is', async () => {
  const path = await mapPath();
  const created = await apply(server, path, ['m1', configMap('a', { a: '1' }), { code: 201 }]);
  assert.match(String(at(created, 'metadata', 'uid')), /^[0-9a-f]{8}-/);
  assert.deepEqual(managersOf(created), ['m1 Apply v1: f:data/f:a']);
  const merged = await apply(server, path, [
    'm2',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: "2"\n',
  ]);
  assert.deepEqual(merged['data'], { a: '1', b: '2' });
  assert.deepEqual(managersOf(merged), ['m1 Apply v1: f:data/f:a', 'm2 Apply v1: f:data/f:b']);
  assert.deepEqual(await server.expect(200, 'GET', path), merged);
});

test('1: the same configuration again changes neither version nor time', async () => {
  const path = await mapPath();
  const objects = [];
  for (const code of [201, 200, 200])
    objects.push(await apply(server, path, ['m1', configMap('a', { a: '1', n: null }), { code }]));
  assert.equal(at(objects[0]!, 'data', 'n'), '');
  assert.deepEqual(objects[1], objects[0]);
  assert.deepEqual(objects[2], objects[0]);
});

test('1: a manager that applies what is there already has no time until it changes a value', async () => {
  const path = await mapPath();
  const timesOf = (object: JsonObject) =>
    Object.fromEntries(entriesOf(object).map(({ manager, time }) => [String(manager), typeof time]));
  await apply(server, path, ['m1', configMap('a', { a: '1' }), { code: 201 }]);
  const shared = await apply(server, path, ['m2', configMap('a', { a: '1' })]);
  assert.deepEqual(timesOf(shared), { m1: 'string', m2: 'undefined' });
  assert.deepEqual(await apply(server, path, ['m2', configMap('a', { a: '1' })]), shared);
  const grown = await apply(server, path, ['m2', configMap('a', { a: '1', b: '2' })]);
  assert.deepEqual(timesOf(grown), { m1: 'string', m2: 'string' });
});

test('2: an apply needs a field manager, other writes have one from the user agent', async () => {
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

test('3: a configuration that says what it must not is refused, and changes nothing', async () => {
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

test('4: the one who set a value last owns it, and who applies the same value shares it', async () => {
  const path = await mapPath();
  await server.expect(201, 'POST', `${path.slice(0, -2)}?fieldManager=creator`, {
    body: configMap('a', { a: '1', b: '1', c: '1' }),
  });
  await server.expect(200, 'PATCH', `${path}?fieldManager=patcher`, {
    body: { data: { b: '2' } },
    contentType: mergePatch,
  });
  const shared = await apply(server, path, ['m1', configMap('a', { b: '2', c: '1' })]);
  assert.deepEqual(managersOf(shared), [
    'm1 Apply v1: f:data/f:b f:data/f:c',
    'creator Update v1: f:data/. f:data/f:a f:data/f:c',
    'patcher Update v1: f:data/f:b',
  ]);
  const conflict = await apply(server, path, ['m1', configMap('a', { b: '3', c: '3' }), { code: 409 }]);
  assert.deepEqual(conflictsIn(conflict), [
    'conflict with "creator" using v1 .data.c',
    'conflict with "patcher" using v1 .data.b',
  ]);
});

test('5: another value conflicts for who applies, and is taken by who updates', async () => {
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
  assert.deepEqual(managersOf(updated), ['m1 Apply v1: f:data/f:b', 'm3 Update v1: f:data/f:a']);
});

test('6: a conflict ends by force, by leaving the field out, or by taking its value', async () => {
  const path = await mapPath();
  await apply(server, path, ['m1', configMap('a', { a: '1', b: '1', c: '1' }), { code: 201 }]);
  const forced = await apply(server, path, ['m2', configMap('a', { a: '2' }), { force: true }]);
  assert.deepEqual(managersOf(forced), ['m1 Apply v1: f:data/f:b f:data/f:c', 'm2 Apply v1: f:data/f:a']);
  const left = await apply(server, path, ['m1', configMap('a', { b: '1', c: '1' })]);
  assert.deepEqual(left['data'], { a: '2', b: '1', c: '1' });
  const shared = await apply(server, path, ['m2', configMap('a', { a: '2', b: '1' })]);
  assert.deepEqual(managersOf(shared), [
    'm1 Apply v1: f:data/f:b f:data/f:c',
    'm2 Apply v1: f:data/f:a f:data/f:b',
  ]);
});

test('7: what is no longer applied goes, unless others own it', async () => {
  const path = await mapPath();
  await apply(server, path, ['m1', configMap('a', { own: '1', shared: '1', kept: '1' }), { code: 201 }]);
  await apply(server, path, ['m2', configMap('a', { shared: '1' })]);
  const less = await apply(server, path, ['m1', configMap('a', { kept: '1' })]);
  assert.deepEqual(less['data'], { shared: '1', kept: '1' });
  const nothing = await apply(server, path, ['m2', configMap('a')]);
  assert.deepEqual(nothing['data'], { kept: '1' });
  assert.deepEqual(managersOf(nothing), ['m1 Apply v1: f:data/f:kept']);
});

test('7: a field with a default that no manager applies any more is at its default', async () => {
  const path = await servicePath();
  const ports = [{ port: 80 }];
  await apply(server, path, ['m1', service({ ports, sessionAffinity: 'ClientIP' }), { code: 201 }]);
  const reset = await apply(server, path, ['m1', service({ ports })]);
  assert.equal(at(reset, 'spec', 'sessionAffinity'), 'None');
});

test('8: keyed lists, sets and maps are shared by element, atomic ones are not', async () => {
  const path = await servicePath();
  const first = await apply(server, path, [
    'm1',
    service({ ports: [{ port: 80, name: 'a' }], selector: { a: 'b' } }),
    { code: 201 },
  ]);
  assert.deepEqual(managersOf(first), [
    'm1 Apply v1: f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/. ' +
      'f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/f:name f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/f:port ' +
      'f:spec/f:selector',
  ]);
  const second = await apply(server, path, ['m2', service({ ports: [{ port: 81, name: 'b' }] })]);
  assert.deepEqual(
    objectsAt(second, 'spec', 'ports').map(port => port['port']),
    [80, 81],
  );
  const dropped = await apply(server, path, ['m2', service({})]);
  assert.equal(objectsAt(dropped, 'spec', 'ports').length, 1);
  const whole = await apply(server, path, ['m2', service({ selector: { c: 'd' } }), { code: 409 }]);
  assert.deepEqual(conflictsIn(whole), ['conflict with "m1" .spec.selector']);
  const named = await apply(server, path, [
    'm2',
    service({ ports: [{ port: 80, protocol: 'TCP', name: 'z' }] }),
    { code: 409 },
  ]);
  assert.deepEqual(conflictsIn(named), ['conflict with "m1" .spec.ports[port=80,protocol="TCP"].name']);
});

test('8: elements of a set belong to who applied them', async () => {
  const path = await mapPath();
  const withFinalizers = (...finalizers: string[]) => configMap('a', undefined, { finalizers });
  await apply(server, path, ['m1', withFinalizers('example.com/a', 'example.com/b'), { code: 201 }]);
  const both = await apply(server, path, ['m2', withFinalizers('example.com/c')]);
  assert.deepEqual(at(both, 'metadata', 'finalizers'), ['example.com/a', 'example.com/b', 'example.com/c']);
  const less = await apply(server, path, ['m1', withFinalizers('example.com/b')]);
  assert.deepEqual(at(less, 'metadata', 'finalizers'), ['example.com/b', 'example.com/c']);
});

test('9: a list with merge keys but without a list type is a keyed list', async () => {
  const path = `${(await server.namespace()).replace('/api/v1', '/apis/apps/v1')}/deployments/a`;
  const deployment = (...containers: JsonObject[]): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
    },
  });
  await apply(server, path, ['m1', deployment({ name: 'web', image: 'web:1' }), { code: 201 }]);
  const both = await apply(server, path, [
    'm2',
    deployment({ name: 'proxy', image: 'proxy:1', args: ['-v'] }),
  ]);
  const containers = objectsAt(both, 'spec', 'template', 'spec', 'containers');
  assert.deepEqual(
    containers.map(({ name, image }) => `${name} ${image}`),
    ['web web:1', 'proxy proxy:1'],
  );
  const args = await apply(server, path, ['m1', deployment({ name: 'proxy', args: ['-q'] }), { code: 409 }]);
  assert.deepEqual(conflictsIn(args), [
    'conflict with "m2" .spec.template.spec.containers[name="proxy"].args',
  ]);
});

test('12: an apply needs no version, but one that names a version or an identity means it', async () => {
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

test('applies of different fields at once all succeed', async () => {
  const path = await mapPath();
  const managers = Array.from({ length: 8 }, (_, index) => `m${index}`);
  const answers = await Promise.all(
    managers.map(manager =>
      server.send('PATCH', `${path}?fieldManager=${manager}`, {
        body: configMap('a', { [manager]: '1' }),
        contentType: 'application/apply-patch+yaml',
      }),
    ),
  );
  assert.deepEqual(answers.map(({ code }) => code).sort(), [200, 200, 200, 200, 200, 200, 200, 201]);
  const object = await server.expect(200, 'GET', path);
  assert.deepEqual(Object.keys(objectAt(object, 'data')).sort(), managers);
  assert.equal(entriesOf(object).length, managers.length);
});

test('a dry run shows what would be, and stores nothing', async () => {
  const path = await mapPath();
  const dry = await apply(server, path, [
    'm1',
    configMap('a', { a: '1' }),
    { code: 201, query: 'dryRun=All' },
  ]);
  assert.equal(at(dry, 'metadata', 'resourceVersion'), undefined);
  assert.deepEqual(managersOf(dry), ['m1 Apply v1: f:data/f:a']);
  await server.expect(404, 'GET', path);
  const created = await apply(server, path, ['m1', configMap('a', { a: '1' }), { code: 201 }]);
  const changed = await apply(server, path, [
    'm2',
    configMap('a', { a: '2' }),
    { force: true, query: 'dryRun=All' },
  ]);
  assert.deepEqual(managersOf(changed), ['m2 Apply v1: f:data/f:a']);
  assert.deepEqual(await server.expect(200, 'GET', path), created);
});

test('keys that occur twice are a warning, or refused under Strict', async () => {
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

test('the status belongs to writes of the status, the rest to other writes', async () => {
  const path = await servicePath();
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const type = 'LoadBalancer';
  const created = await apply(server, path, [
    'm1',
    service({ type, ports: [{ port: 80 }] }, { status }),
    { code: 201 },
  ]);
  assert.deepEqual(created['status'], { loadBalancer: {} });
  assert.doesNotMatch(managersOf(created).join(), /status/);
  const written = await apply(server, `${path}/status`, [
    'balancer',
    service({ type: 'ClusterIP' }, { status }),
  ]);
  assert.deepEqual(written['status'], status);
  assert.equal(at(written, 'spec', 'type'), type);
  // The order of entries is that of their seconds.
  assert.ok(managersOf(written).includes('balancer Apply v1 status: f:status/f:loadBalancer/f:ingress'));
  await apply(server, `${await servicePath()}/status`, ['m1', service({}), { code: 404 }]);
});

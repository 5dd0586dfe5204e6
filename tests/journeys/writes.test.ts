import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finalizers } from '@binnacle/api-names';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings, startAdminServer } from './admin-server.ts';
import { objectAt, valuesAt } from './setup/json-parts.ts';

let server: AdminServer;
before(async () => {
  // Objects whose owners do not exist stay.
  server = await startAdminServer({ enableGarbageCollector: false });
});
after(() => server[Symbol.asyncDispose]());

const configMap = (name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, ...metadata },
  data,
});

test('a created object has the fields that only the server sets, and is read back unchanged', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const client = {
    uid: 'mine',
    creationTimestamp: '2001-01-01T00:00:00Z',
    deletionTimestamp: '2001-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 3,
    selfLink: '/x',
    resourceVersion: '0',
    managedFields: [{ manager: 'x' }],
  };
  const created = await server.expect(201, 'POST', maps, { body: configMap('a', { k: 'v' }, client) });
  assert.equal(created['kind'], 'ConfigMap');
  assert.match(String(at(created, 'metadata', 'uid')), /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.match(String(at(created, 'metadata', 'resourceVersion')), /^[1-9]\d*$/);
  assert.ok(Date.parse(String(at(created, 'metadata', 'creationTimestamp'))) > Date.parse('2020-01-01'));
  const kept = Object.keys(objectAt(created, 'metadata')).sort();
  assert.deepEqual(kept, [
    'creationTimestamp',
    'managedFields',
    'name',
    'namespace',
    'resourceVersion',
    'uid',
  ]);
  assert.deepEqual(await server.expect(200, 'GET', `${maps}/a`), created);
});

interface Refusal {
  readonly what: string;
  readonly body: JsonValue;
  readonly path?: string;
  readonly code: number;
  readonly findings: JsonValue;
  readonly contentType?: string;
}

const refusals: readonly Refusal[] = [
  { what: 'a name that is taken', body: configMap('taken'), code: 409, findings: ['AlreadyExists'] },
  {
    what: 'another namespace',
    body: configMap('a', {}, { namespace: 'other' }),
    code: 400,
    findings: ['BadRequest'],
  },
  {
    what: 'a resourceVersion',
    body: configMap('a', {}, { resourceVersion: '5' }),
    code: 400,
    findings: ['BadRequest'],
  },
  {
    what: 'a version that is no number',
    body: configMap('a', {}, { resourceVersion: 'x' }),
    code: 400,
    findings: ['BadRequest'],
  },
  {
    what: 'another kind',
    body: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } },
    code: 400,
    findings: ['BadRequest'],
  },
  { what: 'malformed JSON', body: '{', code: 400, findings: ['BadRequest'] },
  {
    what: 'a wrong type',
    body: { metadata: { name: 'a' }, data: { a: 1 } },
    code: 400,
    findings: ['BadRequest'],
  },
  {
    what: 'an unknown media type',
    body: 'x',
    contentType: 'text/plain',
    code: 415,
    findings: ['UnsupportedMediaType'],
  },
  {
    what: 'a bad name',
    body: configMap('Bad_Name'),
    code: 422,
    findings: ['Invalid', 'FieldValueInvalid metadata.name'],
  },
  {
    what: 'a name with a slash',
    body: configMap('a/b'),
    code: 422,
    findings: ['Invalid', 'FieldValueInvalid metadata.name'],
  },
  {
    what: 'no name',
    body: { metadata: {} },
    code: 422,
    findings: ['Invalid', 'FieldValueRequired metadata.name'],
  },
  {
    what: 'an unknown dryRun',
    body: configMap('a'),
    path: '?dryRun=some',
    code: 422,
    findings: ['Invalid', 'FieldValueNotSupported dryRun'],
  },
  {
    what: 'an unknown field, strictly',
    body: { ...configMap('a'), x: 1 },
    path: '?fieldValidation=Strict',
    code: 400,
    findings: ['BadRequest'],
  },
];

test('an invalid creation is refused with the reason, and nothing is stored', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: configMap('taken') });
  for (const { what, body, path = '', contentType, code, findings: expected } of refusals) {
    const sent = { body, ...(contentType === undefined ? {} : { contentType }) };
    const status = await server.expect(code, 'POST', maps + path, sent);
    assert.deepEqual(findings(status), expected, what);
  }
  assert.equal(valuesAt(await server.expect(200, 'GET', maps), 'items').length, 1);
});

test('a creation in a missing namespace is refused', async () => {
  const status = await server.expect(404, 'POST', '/api/v1/namespaces/nope/configmaps', {
    body: configMap('a'),
  });
  assert.deepEqual(status['details'], { name: 'nope', kind: 'namespaces' });
});

test('unknown fields are dropped, with a warning by default', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const body = (name: string) => ({ metadata: { name, unk: 1 }, data: { a: 'b' }, bogus: 2 });
  const warned = await server.send('POST', maps, { body: body('a') });
  assert.deepEqual(
    [warned.code, warned.warnings],
    [201, ['unknown field "metadata.unk"', 'unknown field "bogus"']],
  );
  assert.equal(warned.body['bogus'], undefined);
  const silent = await server.send('POST', `${maps}?fieldValidation=Ignore`, { body: body('b') });
  assert.deepEqual([silent.code, silent.warnings], [201, []]);
});

test('an update may have a resourceVersion or none', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const first = await server.expect(201, 'POST', maps, { body: configMap('a', { k: '1' }) });
  const second = await server.expect(200, 'PUT', `${maps}/a`, { body: { ...first, data: { k: '2' } } });
  assert.ok(
    Number(at(second, 'metadata', 'resourceVersion')) > Number(at(first, 'metadata', 'resourceVersion')),
  );
  const stale = await server.expect(409, 'PUT', `${maps}/a`, { body: { ...first, data: { k: '3' } } });
  assert.deepEqual([stale['reason'], stale['details']], ['Conflict', { name: 'a', kind: 'configmaps' }]);
  assert.match(String(stale['message']), /the object has been modified/);
  await server.expect(409, 'PUT', `${maps}/a`, { body: configMap('a', {}, { resourceVersion: '99999999' }) });
  await server.expect(200, 'PUT', `${maps}/a`, { body: configMap('a', { k: '4' }) });
  const last = await server.expect(200, 'PUT', `${maps}/a`, {
    body: configMap('a', { k: '5' }, { resourceVersion: '0' }),
  });
  assert.deepEqual(last['data'], { k: '5' });
});

test('an update without a change writes nothing', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const created = await server.expect(201, 'POST', maps, { body: configMap('a', { k: '1', l: '2' }) });
  const reordered = { data: { l: '2', k: '1' }, metadata: { name: 'a' } };
  assert.deepEqual(await server.expect(200, 'PUT', `${maps}/a`, { body: reordered }), created);
  const patch = { body: { data: { k: '1' } }, contentType: 'application/merge-patch+json' };
  assert.deepEqual(await server.expect(200, 'PATCH', `${maps}/a`, patch), created);
});

test('an update does not change fields that only the server sets, and cannot delete', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const created = await server.expect(201, 'POST', maps, { body: configMap('a') });
  const metadata = { creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' };
  const updated = await server.expect(200, 'PUT', `${maps}/a`, {
    body: configMap('a', { k: '1' }, metadata),
  });
  for (const key of ['uid', 'creationTimestamp', 'selfLink'])
    assert.deepEqual(at(updated, 'metadata', key), at(created, 'metadata', key), key);
  const deleting = configMap('a', {}, { deletionTimestamp: '2001-01-01T00:00:00Z' });
  const status = await server.expect(422, 'PUT', `${maps}/a`, { body: deleting });
  assert.deepEqual(findings(status), ['Invalid', 'FieldValueInvalid metadata.deletionTimestamp']);
});

test('an update of another object than that of the URL is refused', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: configMap('a') });
  await server.expect(400, 'PUT', `${maps}/a`, { body: configMap('b') });
  await server.expect(400, 'PUT', `${maps}/a`, { body: { metadata: {} } });
  await server.expect(400, 'PUT', `${maps}/a`, { body: configMap('a', {}, { namespace: 'other' }) });
  await server.expect(404, 'PUT', `${maps}/none`, { body: configMap('none') });
  const other = await server.expect(409, 'PUT', `${maps}/a`, {
    body: configMap('a', {}, { uid: 'another' }),
  });
  assert.equal(other['reason'], 'Conflict');
});

test('some kinds can be created by an update', async () => {
  const namespace = await server.namespace();
  const leases = namespace.replace('/api/v1', '/apis/coordination.cluster.io/v1');
  const body = { metadata: { name: 'l' }, spec: { holderIdentity: 'me' } };
  const created = await server.expect(201, 'PUT', `${leases}/leases/l`, { body });
  const blind = await server.expect(422, 'PUT', `${leases}/leases/l`, { body });
  assert.deepEqual(findings(blind), ['Invalid', 'FieldValueInvalid metadata.resourceVersion']);
  await server.expect(200, 'PUT', `${leases}/leases/l`, {
    body: { ...created, spec: { holderIdentity: 'you' } },
  });
  const roles = namespace.replace('/api/v1', '/apis/rbac.authorization.cluster.io/v1');
  await server.expect(201, 'PUT', `${roles}/roles/r`, { body: { metadata: { name: 'r' }, rules: [] } });
  const withUid = { metadata: { name: 'e', uid: 'abc' } };
  await server.expect(409, 'PUT', `${namespace}/endpoints/e`, { body: withUid });
  await server.expect(404, 'PUT', '/api/v1/namespaces/nope/endpoints/e', {
    body: { metadata: { name: 'e' } },
  });
});

test('status and specification are written separately', async () => {
  const namespace = await server.namespace();
  const condition = { type: 'X', status: 'True' };
  const status = { phase: 'Active', conditions: [condition] };
  const patch = { body: { status }, contentType: 'application/merge-patch+json' };
  const written = await server.expect(200, 'PATCH', `${namespace}/status`, patch);
  assert.equal(at(written, 'status', 'conditions', 0, 'type'), 'X');
  const ignored = {
    body: { status: { phase: 'Terminating' }, spec: { finalizers: ['a.b/c'] } },
    contentType: patch.contentType,
  };
  const after = await server.expect(200, 'PATCH', namespace, ignored);
  assert.deepEqual(
    [after['status'], after['spec']],
    [written['status'], { finalizers: [finalizers.namespace] }],
  );
});

test('a dry run is answered like the write, and stores nothing', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const dry = await server.expect(201, 'POST', `${maps}?dryRun=All`, { body: configMap('dry') });
  assert.ok(at(dry, 'metadata', 'uid'));
  assert.equal(at(dry, 'metadata', 'resourceVersion'), undefined);
  await server.expect(404, 'GET', `${maps}/dry`);
  const real = await server.expect(201, 'POST', maps, { body: configMap('real', { k: '1' }) });
  await server.expect(409, 'POST', `${maps}?dryRun=All`, { body: configMap('real') });
  const updated = await server.expect(200, 'PUT', `${maps}/real?dryRun=All`, {
    body: { ...real, data: { k: '2' } },
  });
  assert.deepEqual(updated['data'], { k: '2' });
  assert.equal(at(updated, 'metadata', 'resourceVersion'), at(real, 'metadata', 'resourceVersion'));
  await server.expect(409, 'PUT', `${maps}/real?dryRun=All`, {
    body: configMap('real', {}, { resourceVersion: '1' }),
  });
  await server.expect(404, 'PUT', `${maps}/none?dryRun=All`, { body: configMap('none') });
  await server.expect(404, 'POST', '/api/v1/namespaces/nope/configmaps?dryRun=All', { body: configMap('a') });
  assert.deepEqual(await server.expect(200, 'GET', `${maps}/real`), real);
});

test('a value reserved by an object cannot be reserved again until the object is gone', async () => {
  const services = `${await server.namespace()}/services`;
  const service = (name: string, clusterIP: string) => ({
    metadata: { name },
    spec: { clusterIP, ports: [{ port: 80 }] },
  });
  await server.expect(201, 'POST', services, { body: service('a', '10.96.0.77') });
  const status = await server.expect(422, 'POST', services, { body: service('b', '10.96.0.77') });
  assert.deepEqual(findings(status), ['Invalid', 'FieldValueInvalid spec.clusterIPs']);
  await server.expect(422, 'POST', `${services}?dryRun=All`, { body: service('b', '10.96.0.77') });
  await server.expect(200, 'DELETE', `${services}/a`);
  await server.expect(201, 'POST', services, { body: service('b', '10.96.0.77') });
});

test('repeated owner references are dropped with a warning', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '1' };
  const sent = { body: configMap('a', {}, { ownerReferences: [owner, owner] }) };
  const other = { ...owner, controller: true };
  const patch = {
    body: { metadata: { ownerReferences: [other, owner, other] } },
    contentType: 'application/merge-patch+json',
  };
  for (const [method, path, write, owners] of [
    ['POST', maps, sent, [owner]],
    ['PUT', `${maps}/a`, sent, [owner]],
    ['PATCH', `${maps}/a`, patch, [other, owner]],
  ] as const) {
    const { body, warnings } = await server.send(method, path, write);
    assert.deepEqual(at(body, 'metadata', 'ownerReferences'), owners, method);
    assert.match(warnings.join(), /^\.metadata\.ownerReferences contains duplicate entries/, method);
  }
});

test('errors have the group under which clients know the kind', async () => {
  const namespace = await server.namespace();
  for (const [group, resource, expected] of [
    ['networking.cluster.io', 'ingresses', { group: 'extensions', kind: 'Ingress' }],
    ['networking.cluster.io', 'networkpolicies', { group: 'networking.cluster.io', kind: 'NetworkPolicy' }],
    ['events.cluster.io', 'events', { kind: 'Event' }],
  ] as const) {
    const path = `${namespace.replace('/api/v1', `/apis/${group}/v1`)}/${resource}`;
    const body = { metadata: { name: 'a' }, spec: { policyTypes: ['Odd'] } };
    const status = await server.expect(422, 'POST', path, { body });
    const { name: _name, causes: _causes, ...named } = objectAt(status, 'details');
    assert.deepEqual(named, expected);
  }
});

test('some kinds require a resourceVersion in updates', async () => {
  const apiServices = '/apis/apiregistration.cluster.io/v1/apiservices';
  const name = 'v1.example.com';
  const spec = { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  const leases = `${(await server.namespace()).replace('/api/', '/apis/coordination.cluster.io/')}/leases`;
  const webhooks = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
  for (const [path, sent] of [
    [leases, { metadata: { name } }],
    [webhooks, { metadata: { name } }],
    [apiServices, { metadata: { name }, spec }],
  ] as const) {
    const created = await server.expect(201, 'POST', path, { body: sent });
    const status = await server.expect(422, 'PUT', `${path}/${name}`, { body: sent });
    assert.deepEqual(findings(status), ['Invalid', 'FieldValueInvalid metadata.resourceVersion'], path);
    await server.expect(200, 'PUT', `${path}/${name}`, { body: created });
    // A patch names no version, and means the one that it finds.
    const patch = {
      body: { metadata: { labels: { a: 'b' } } },
      contentType: 'application/merge-patch+json',
    };
    await server.expect(200, 'PATCH', `${path}/${name}`, patch);
  }
});

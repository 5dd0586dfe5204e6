import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finalizers } from '@binnacle/api-names';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings, startAdminServer } from './admin-server.ts';
import { objectAt, textsAt, valuesAt } from './setup/json-parts.ts';

let server: AdminServer;
before(async () => {
  // Objects that wait for a collector stay as the deletion left them.
  server = await startAdminServer({ enableGarbageCollector: false });
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';
const named = (name: string, metadata: JsonObject = {}): JsonObject => ({ metadata: { name, ...metadata } });
const held = (name: string) => named(name, { finalizers: ['example.com/hold'] });
const names = (list: JsonObject) => valuesAt(list, 'items').map(item => at(item, 'metadata', 'name'));

test('a deletion returns a Status that names the deleted object', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const created = await server.expect(201, 'POST', maps, { body: named('a') });
  const status = await server.expect(200, 'DELETE', `${maps}/a`);
  const details = { name: 'a', kind: 'configmaps', uid: at(created, 'metadata', 'uid') };
  assert.deepEqual([status['kind'], status['status'], status['details']], ['Status', 'Success', details]);
  await server.expect(404, 'GET', `${maps}/a`);
  await server.expect(404, 'DELETE', `${maps}/a`);
});

test('a deletion of some kinds returns the object', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/serviceaccounts`, { body: named('s') });
  assert.equal(
    (await server.expect(200, 'DELETE', `${namespace}/serviceaccounts/s`))['kind'],
    'ServiceAccount',
  );
});

test('some kinds orphan their dependents by default', async () => {
  const namespace = await server.namespace();
  const container = { name: 'c', image: 'i' };
  const spec = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
  const jobs = `${namespace.replace('/api/v1', '/apis/batch/v1')}/jobs`;
  const ends = [
    ['', true, /propagationPolicy=Background/],
    ['?propagationPolicy=Orphan', true, /^$/],
    ['?propagationPolicy=Background', false, /^$/],
  ] as const;
  for (const [i, [query, stays, warning]] of ends.entries()) {
    await server.expect(201, 'POST', jobs, { body: { ...named(`j${i}`), spec } });
    const { body, warnings } = await server.send('DELETE', `${jobs}/j${i}${query}`);
    assert.deepEqual(at(body, 'metadata', 'finalizers'), stays ? ['orphan'] : undefined);
    assert.match(warnings.join(), warning);
  }
  assert.match((await server.send('DELETE', jobs)).warnings.join(), /propagationPolicy=Background/);
});

test('a deletion can have preconditions on uid and resourceVersion', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const { metadata } = await server.expect(201, 'POST', maps, { body: named('a') });
  for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }]) {
    const status = await server.expect(409, 'DELETE', `${maps}/a`, { body: { preconditions } });
    assert.deepEqual([status['reason'], status['details']], ['Conflict', { name: 'a', kind: 'ConfigMap' }]);
  }
  const { uid = null, resourceVersion = null } = objectAt(metadata);
  await server.expect(200, 'DELETE', `${maps}/a`, { body: { preconditions: { uid, resourceVersion } } });
});

const refusedOptions: readonly [JsonValue, string, string, number, JsonValue][] = [
  [{ propagationPolicy: 'Foo' }, '', '', 422, ['Invalid', 'FieldValueNotSupported propagationPolicy']],
  [
    { propagationPolicy: 'Orphan', orphanDependents: true },
    '',
    '',
    422,
    ['Invalid', 'FieldValueInvalid propagationPolicy'],
  ],
  [{ dryRun: ['some'] }, '', '', 422, ['Invalid', 'FieldValueNotSupported dryRun']],
  ['', '?dryRun=some', '', 422, ['Invalid', 'FieldValueNotSupported dryRun']],
  ['', '?gracePeriodSeconds=soon', '', 400, ['BadRequest']],
  [{ kind: 'ConfigMap', apiVersion: 'v1' }, '', '', 400, ['BadRequest']],
  ['{', '', '', 400, ['BadRequest']],
  [{ gracePeriodSeconds: 'x' }, '', '', 400, ['BadRequest']],
  ['x', '', 'text/plain', 415, ['UnsupportedMediaType']],
];

test('invalid options are refused, and nothing is deleted', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: named('a') });
  for (const [body, query, contentType, code, expected] of refusedOptions) {
    const sent = { body, ...(contentType === '' ? {} : { contentType }) };
    const status = await server.expect(code, 'DELETE', `${maps}/a${query}`, sent);
    assert.deepEqual(findings(status), expected, JSON.stringify(body));
  }
  await server.expect(200, 'DELETE', `${maps}/a?dryRun=All`);
  await server.expect(200, 'DELETE', `${maps}/a`, { body: { dryRun: ['All'] } });
  await server.expect(200, 'GET', `${maps}/a`);
});

test('options in the body override those of the query', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: named('a') });
  const query = '?propagationPolicy=Orphan&gracePeriodSeconds=soon';
  const body = { propagationPolicy: 'Foreground' };
  const marked = await server.expect(200, 'DELETE', `${maps}/a${query}`, { body });
  assert.deepEqual(at(marked, 'metadata', 'finalizers'), ['foregroundDeletion']);
  await server.expect(201, 'POST', maps, { body: named('b') });
  await server.expect(200, 'DELETE', `${maps}/b?dryRun=All`, { body: {} });
  await server.expect(404, 'GET', `${maps}/b`);
});

test('preconditions and options of a deletion of a collection apply to each object', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const { metadata } = await server.expect(201, 'POST', maps, { body: named('a') });
  await server.expect(201, 'POST', maps, { body: held('b') });
  const { resourceVersion = null } = objectAt(metadata);
  const ofFirst = '?fieldSelector=metadata.name%3Da';
  const stale = { body: { preconditions: { resourceVersion: '1' } } };
  await server.expect(409, 'DELETE', maps + ofFirst, stale);
  const dry = { body: { preconditions: { resourceVersion }, dryRun: ['All'] } };
  assert.deepEqual(names(await server.expect(200, 'DELETE', maps + ofFirst, dry)), ['a']);
  await server.expect(200, 'GET', `${maps}/a`);
  await server.expect(200, 'DELETE', maps + ofFirst, { body: { preconditions: { resourceVersion } } });
  await server.expect(404, 'GET', `${maps}/a`);
  await server.expect(200, 'DELETE', maps, { body: { propagationPolicy: 'Foreground' } });
  const { metadata: left } = await server.expect(200, 'GET', `${maps}/b`);
  assert.ok(textsAt(left, 'finalizers').includes('example.com/hold'));
});

test('a finalizer keeps an object until it is removed', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: held('a') });
  const marked = await server.expect(200, 'DELETE', `${maps}/a`);
  assert.ok(at(marked, 'metadata', 'deletionTimestamp'));
  assert.equal(at(marked, 'metadata', 'deletionGracePeriodSeconds'), 0);
  assert.deepEqual(await server.expect(200, 'DELETE', `${maps}/a`), marked);
  const repeated = await server.expect(409, 'POST', maps, { body: named('a') });
  assert.match(String(repeated['message']), /object is being deleted: .*already exists/);
  const edit = { body: { data: { k: 'v' } }, contentType: mergePatch };
  assert.deepEqual((await server.expect(200, 'PATCH', `${maps}/a`, edit))['data'], { k: 'v' });
  const more = {
    body: { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } },
    contentType: mergePatch,
  };
  const refused = await server.expect(422, 'PATCH', `${maps}/a`, more);
  assert.equal(findings(refused)[1], 'FieldValueForbidden metadata.finalizers');
  const before = await server.expect(200, 'GET', `${maps}/a`);
  const last = await server.expect(200, 'PATCH', `${maps}/a`, {
    body: { metadata: { finalizers: [] } },
    contentType: mergePatch,
  });
  assert.equal(at(last, 'metadata', 'finalizers'), undefined);
  assert.equal(at(last, 'metadata', 'resourceVersion'), at(before, 'metadata', 'resourceVersion'));
  await server.expect(404, 'GET', `${maps}/a`);
});

test('the propagation policy sets a finalizer', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const policies: readonly [string, JsonValue][] = [
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ];
  for (const [policy, finalizers] of policies) {
    await server.expect(201, 'POST', maps, { body: named('a') });
    const marked = await server.expect(200, 'DELETE', `${maps}/a?propagationPolicy=${policy}`);
    assert.deepEqual(at(marked, 'metadata', 'finalizers'), finalizers);
    await server.expect(200, 'DELETE', `${maps}/a`, { body: { propagationPolicy: 'Background' } });
    await server.expect(404, 'GET', `${maps}/a`);
  }
});

test('a pod on a node has a grace period', async () => {
  const namespace = await server.namespace();
  const pod = { ...named('p'), spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] } };
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod });
  const marked = await server.expect(200, 'DELETE', `${namespace}/pods/p`);
  assert.equal(at(marked, 'metadata', 'deletionGracePeriodSeconds'), 30);
  const shorter = await server.expect(200, 'DELETE', `${namespace}/pods/p?gracePeriodSeconds=5`);
  assert.equal(at(shorter, 'metadata', 'deletionGracePeriodSeconds'), 5);
  const removed = await server.expect(200, 'DELETE', `${namespace}/pods/p?gracePeriodSeconds=0`);
  assert.equal(removed['kind'], 'Pod');
  await server.expect(404, 'GET', `${namespace}/pods/p`);
});

test('reserved namespaces cannot be deleted', async () => {
  for (const name of ['default', 'cluster-system', 'cluster-public']) {
    const status = await server.expect(403, 'DELETE', `/api/v1/namespaces/${name}`);
    assert.deepEqual(status['details'], { name, kind: 'namespaces' });
  }
});

test('a terminating namespace accepts no new objects, and is removed with its content', async () => {
  const namespace = await server.namespace();
  const name = namespace.slice(namespace.lastIndexOf('/') + 1);
  await server.expect(201, 'POST', `${namespace}/configmaps`, { body: held('a') });
  const marked = await server.expect(200, 'DELETE', namespace);
  assert.deepEqual(
    [at(marked, 'status', 'phase'), at(marked, 'spec')],
    ['Terminating', { finalizers: [finalizers.namespace] }],
  );
  const refused = await server.expect(403, 'POST', `${namespace}/configmaps`, { body: named('b') });
  assert.deepEqual(findings(refused), ['Forbidden', 'NamespaceTerminating metadata.namespace']);
  const repeated = await server.expect(409, 'POST', '/api/v1/namespaces', { body: named(name) });
  assert.match(String(repeated['message']), /object is being deleted/);
  await server.expect(409, 'PUT', `${namespace}/finalize`, {
    body: { ...named(name, { resourceVersion: '1' }), spec: {} },
  });
  await server.expect(200, 'PATCH', `${namespace}/configmaps/a`, {
    body: { metadata: { finalizers: null } },
    contentType: mergePatch,
  });
  for (let i = 0; (await server.send('GET', namespace)).code !== 404; i++) {
    assert.ok(i < 600, 'the namespace does not go');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await server.expect(201, 'POST', '/api/v1/namespaces', { body: named(name) });
});

test('an empty list of finalizers removes a terminating namespace', async () => {
  const namespace = await server.namespace();
  const name = namespace.slice(namespace.lastIndexOf('/') + 1);
  const set = (finalizers: string[]) => ({ body: { ...named(name), spec: { finalizers } } });
  const changed = await server.expect(
    200,
    'PUT',
    `${namespace}/finalize`,
    set([finalizers.namespace, 'example.com/mine']),
  );
  assert.deepEqual(changed['spec'], { finalizers: [finalizers.namespace, 'example.com/mine'] });
  assert.deepEqual(findings(await server.expect(422, 'PUT', `${namespace}/finalize`, set(['bad']))), [
    'Invalid',
    'FieldValueInvalid spec.finalizers[0]',
  ]);
  await server.expect(200, 'DELETE', namespace);
  await server.expect(200, 'PUT', `${namespace}/finalize`, set([]));
  await server.expect(404, 'GET', namespace);
});

test('a deletion of a collection deletes the selected objects only', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (const [name, group] of [
    ['a1', 'a'],
    ['a2', 'a'],
    ['b1', 'b'],
    ['b2', 'b'],
  ] as const)
    await server.expect(201, 'POST', maps, { body: named(name, { labels: { group } }) });
  await server.expect(201, 'POST', maps, {
    body: named('held', { labels: { group: 'a' }, finalizers: ['example.com/hold'] }),
  });
  const gone = await server.expect(200, 'DELETE', `${maps}?labelSelector=group%3Da`);
  assert.deepEqual([gone['kind'], names(gone)], ['ConfigMapList', ['a1', 'a2', 'held']]);
  assert.ok(valuesAt(gone, 'items').every(item => at(item, 'metadata', 'deletionTimestamp') === undefined));
  const left = async () => names(await server.expect(200, 'GET', maps));
  assert.deepEqual(await left(), ['b1', 'b2', 'held']);
  await server.expect(200, 'DELETE', `${maps}?dryRun=All`);
  await server.expect(400, 'DELETE', `${maps}?labelSelector=a+in+(`);
  await server.expect(400, 'DELETE', `${maps}?fieldSelector=data.k%3Dx`);
  await server.expect(422, 'DELETE', maps, { body: { propagationPolicy: 'Foo' } });
  const mismatch = { body: { preconditions: { uid: 'x' } } };
  await server.expect(409, 'DELETE', `${maps}?fieldSelector=metadata.name%3Db1`, mismatch);
  assert.deepEqual(await left(), ['b1', 'b2', 'held']);
  const first = await server.expect(200, 'DELETE', `${maps}?limit=1&labelSelector=group%3Db`);
  assert.deepEqual(names(first), ['b1']);
  const token = encodeURIComponent(String(at(first, 'metadata', 'continue')));
  assert.deepEqual(
    names(await server.expect(200, 'DELETE', `${maps}?limit=1&labelSelector=group%3Db&continue=${token}`)),
    ['b2'],
  );
  assert.deepEqual(await left(), ['held']);
});

test('a large collection is deleted completely', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const wanted = Array.from({ length: 60 }, (_, i) => `m${i}`);
  await Promise.all(wanted.map(name => server.expect(201, 'POST', maps, { body: named(name) })));
  const gone = await server.expect(200, 'DELETE', maps);
  assert.deepEqual(names(gone).length, wanted.length);
  assert.deepEqual((await server.expect(200, 'GET', maps))['items'], []);
});

test('a collection of namespaces cannot be deleted', async () => {
  await server.expect(405, 'DELETE', '/api/v1/namespaces');
  await server.expect(405, 'DELETE', '/api/v1/configmaps');
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createDefinition, definitionsPath, establish, readConditions } from './custom-widget.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

let server: ApiServer;

before(async () => {
  server = await startApiServer();
  await server.namespace('t');
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = { 'Content-Type': 'application/merge-patch+json' };
const text = { type: 'string' };
const withSpec = (properties: object) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

interface Definition {
  readonly metadata: { readonly finalizers?: readonly string[]; readonly generation: number };
  readonly status: {
    readonly acceptedNames: object;
    readonly storedVersions: readonly string[];
    readonly conditions: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
    }[];
  };
}

async function read(name: string): Promise<Definition> {
  return JSON.parse((await server.call('GET', `${definitionsPath}/${name}`)).text);
}

function patch(name: string, body: object) {
  return server.call('PATCH', `${definitionsPath}/${name}`, { headers: mergePatch, body });
}

function instance(kind: string, group: string, more: object) {
  return { apiVersion: `${group}/v1`, kind, metadata: { name: 'x' }, ...more };
}

test('a definition is established, served, and found in discovery', async () => {
  const group = 'found.example.com';
  const path = `/apis/${group}/v1/namespaces/t/gizmos`;
  assert.equal((await server.call('GET', path)).code, 404);
  await establish(
    server,
    createDefinition('gizmos', 'Gizmo', withSpec({ a: text }), {
      group,
      names: { shortNames: ['gz'], categories: ['all'] },
      version: { subresources: { status: {} } },
    }),
  );
  assert.equal((await server.call('GET', path)).code, 200);
  const { status } = await read(`gizmos.${group}`);
  assert.deepEqual(status.acceptedNames, {
    plural: 'gizmos',
    singular: 'gizmo',
    shortNames: ['gz'],
    kind: 'Gizmo',
    listKind: 'GizmoList',
    categories: ['all'],
  });
  const { resources } = JSON.parse((await server.call('GET', `/apis/${group}/v1`)).text);
  const [gizmos, gizmosStatus] = resources;
  assert.deepEqual(
    [gizmos.name, gizmos.singularName, gizmos.shortNames, gizmos.categories, gizmosStatus.name],
    ['gizmos', 'gizmo', ['gz'], ['all'], 'gizmos/status'],
  );
  const { json } = await server.call('GET', '/apis');
  assert.ok(json.groups.some(({ name }) => name === group));
  assert.equal((await server.call('GET', `/apis/${group}/v1/namespaces/t/gizmos/x/scale`)).code, 404);
});

test('conflicting names are not accepted until they are free', async () => {
  const group = 'names.example.com';
  await establish(
    server,
    createDefinition('ones', 'One', withSpec({}), { group, names: { shortNames: ['o'] } }),
  );
  await server.call('POST', definitionsPath, {
    body: createDefinition('others', 'One', withSpec({}), { group }),
  });
  const short = createDefinition('thirds', 'Third', withSpec({}), { group, names: { shortNames: ['o'] } });
  await server.call('POST', definitionsPath, { body: short });
  const readReason = async (name: string) =>
    (await read(name)).status.conditions?.find(({ type }) => type === 'NamesAccepted')?.reason;
  await until(
    'the kind is not accepted',
    async () => (await readReason(`others.${group}`)) === 'ListKindConflict',
  );
  await until(
    'the short name is not',
    async () => (await readReason(`thirds.${group}`)) === 'ShortNamesConflict',
  );
  assert.ok((await readConditions(server, `others.${group}`)).includes('Established=False'));
  assert.deepEqual((await read(`others.${group}`)).status.acceptedNames, { plural: 'others', kind: '' });
  assert.equal((await server.call('GET', `/apis/${group}/v1/namespaces/t/others`)).code, 404);
  await server.call('DELETE', `${definitionsPath}/ones.${group}`);
  for (const plural of ['others', 'thirds'])
    await until(`${plural} is established`, async () =>
      (await readConditions(server, `${plural}.${group}`)).includes('Established=True'),
    );
});

test('group, scope and names cannot change, and stored versions are kept', async () => {
  const group = 'life.example.com';
  const name = `lives.${group}`;
  await establish(server, createDefinition('lives', 'Live', withSpec({ a: text }), { group }));
  const changes: [object, string][] = [
    [{ spec: { scope: 'Cluster' } }, 'spec.scope'],
    [{ spec: { group: 'zz.example.com' } }, 'spec.group'],
    [{ spec: { names: { plural: 'zz' } } }, 'spec.names.plural'],
    [{ spec: { names: { kind: 'Zed' } } }, 'spec.names.kind'],
  ];
  for (const [change, field] of changes) {
    const answer = await patch(name, change);
    assert.equal(answer.code, 422);
    assert.deepEqual(
      answer.json.details.causes.map(cause => cause.field),
      [field],
    );
  }
  const version = (id: string, storage: boolean, properties: object) => ({
    name: id,
    served: true,
    storage,
    schema: { openAPIV3Schema: withSpec(properties) },
  });
  const removed = await patch(name, { spec: { versions: [version('v2', true, {})] } });
  assert.deepEqual(
    removed.json.details.causes.map(cause => cause.field),
    ['status.storedVersions[0]'],
  );

  const path = (id: string) => `/apis/${group}/${id}/namespaces/t/lives`;
  await server.call('POST', path('v1'), { body: instance('Live', group, { spec: { a: 'old' } }) });
  const both = [
    version('v1', false, { a: text }),
    version('v2', true, { a: text, b: { ...text, default: 'new' } }),
  ];
  const changed = await patch(name, { spec: { versions: both } });
  assert.deepEqual(JSON.parse(changed.text).status.storedVersions, ['v1', 'v2']);
  await until('v2 is served', async () => (await server.call('GET', path('v2'))).code === 200);
  const old = JSON.parse((await server.call('GET', `${path('v2')}/x`)).text);
  assert.deepEqual([old.apiVersion, old.spec], [`${group}/v2`, { a: 'old', b: 'new' }]);
  const rewritten = JSON.parse((await server.call('PUT', `${path('v2')}/x`, { body: old })).text);
  assert.notEqual(rewritten.metadata.resourceVersion, old.metadata.resourceVersion, 'it is stored anew');
  assert.equal(rewritten.metadata.generation, old.metadata.generation);
  const repeated = JSON.parse((await server.call('PUT', `${path('v2')}/x`, { body: rewritten })).text);
  assert.equal(repeated.metadata.resourceVersion, rewritten.metadata.resourceVersion, 'once');
  const dropped = await server.call('PATCH', `${definitionsPath}/${name}/status`, {
    headers: mergePatch,
    body: { status: { storedVersions: ['v2'] } },
  });
  assert.deepEqual(JSON.parse(dropped.text).status.storedVersions, ['v2']);
});

test('versions of one stored object differ in apiVersion and in fields that a version does not have', async () => {
  const group = 'views.example.com';
  const version = (name: string, properties: object, more: object = {}) => ({
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: withSpec(properties) },
    ...more,
  });
  await establish(
    server,
    createDefinition(
      'multis',
      'Multi',
      {},
      {
        group,
        versions: [
          version('v1alpha1', { a: text }, { deprecated: true }),
          version('v1', { a: text, b: text }, { storage: true }),
          version('v2', {}, { served: false }),
          version(
            'v1beta1',
            { a: text, c: { ...text, default: 'c' } },
            { deprecated: true, deprecationWarning: 'old' },
          ),
        ],
      },
    ),
  );
  const path = (id: string) => `/apis/${group}/${id}/namespaces/t/multis`;
  const { groups } = (await server.call('GET', '/apis')).json;
  const found = groups.find(({ name }) => name === group) as unknown as { versions: { version: string }[] };
  assert.deepEqual(
    found.versions.map(({ version: id }) => id),
    ['v1', 'v1beta1', 'v1alpha1'],
  );
  await server.call('POST', path('v1'), { body: instance('Multi', group, { spec: { a: '1', b: '2' } }) });
  const alpha = await server.call('GET', `${path('v1alpha1')}/x`);
  assert.deepEqual(JSON.parse(alpha.text).spec, { a: '1' });
  assert.equal(JSON.parse(alpha.text).apiVersion, `${group}/v1alpha1`);
  assert.equal(
    alpha.headers['warning'],
    `299 - "${group}/v1alpha1 Multi is deprecated; use ${group}/v1 Multi"`,
  );
  assert.equal((await server.call('GET', `${path('v1beta1')}/x`)).headers['warning'], '299 - "old"');
  assert.equal((await server.call('GET', `${path('v2')}/x`)).code, 404);
  const { items } = JSON.parse((await server.call('GET', path('v1alpha1'))).text);
  assert.deepEqual(
    [items[0].apiVersion, items[0].kind, items[0].spec],
    [`${group}/v1alpha1`, 'Multi', { a: '1' }],
  );
  await server.call('PATCH', `${path('v1alpha1')}/x`, { headers: mergePatch, body: { spec: { a: '2' } } });
  assert.deepEqual(JSON.parse((await server.call('GET', `${path('v1')}/x`)).text).spec, { a: '2' });
  using watch = await server.watch(`${path('v1beta1')}?watch=1&resourceVersion=0`);
  await until('the object', () => watch.events.length === 1);
  assert.equal(watch.events[0]?.object.apiVersion, `${group}/v1beta1`);
});

test('a change of the schema ends watches, and applies to objects that were stored before', async () => {
  const group = 'change.example.com';
  const name = `things.${group}`;
  const path = `/apis/${group}/v1/namespaces/t/things`;
  await establish(server, createDefinition('things', 'Thing', withSpec({ a: text, gone: text }), { group }));
  await server.call('POST', path, { body: instance('Thing', group, { spec: { a: '1', gone: '2' } }) });
  using watch = await server.watch(`${path}?watch=1&resourceVersion=0`);
  await until('the object', () => watch.events.length === 1);
  const schema = withSpec({ a: text, later: { ...text, default: 'new' } });
  await server.call('PATCH', `${definitionsPath}/${name}`, {
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: schema }],
  });
  await watch.ended;
  const spec = { a: '1', later: 'new' };
  assert.deepEqual(JSON.parse((await server.call('GET', `${path}/x`)).text).spec, spec);
  assert.deepEqual(JSON.parse((await server.call('GET', path)).text).items[0].spec, spec);
  const last = watch.events.at(-1)?.object.metadata.resourceVersion;
  using resumed = await server.watch(`${path}?watch=1&resourceVersion=${last}`);
  await server.call('PATCH', `${path}/x`, { headers: mergePatch, body: { spec: { a: '2' } } });
  await until('the watch goes on', () => resumed.events.length === 1);
  assert.equal(resumed.events[0]?.type, 'MODIFIED');
});

test('a change of the status only ends no watch', async () => {
  const group = 'quiet.example.com';
  const path = `/apis/${group}/v1/namespaces/t/quiets`;
  await establish(server, createDefinition('quiets', 'Quiet', withSpec({ a: text }), { group }));
  using watch = await server.watch(`${path}?watch=1`);
  const relabelled = await patch(`quiets.${group}`, { metadata: { labels: { a: 'b' } } });
  assert.equal(relabelled.code, 200);
  await server.call('POST', path, { body: instance('Quiet', group, { spec: { a: '1' } }) });
  await until('the event comes', () => watch.events.length === 1);
});

test('a definition is deleted after its objects, which respect their finalizers', async () => {
  const group = 'end.example.com';
  const name = `ends.${group}`;
  const path = `/apis/${group}/v1/namespaces/t/ends`;
  await establish(server, createDefinition('ends', 'End', withSpec({ a: text }), { group }));
  await server.call('POST', path, { body: instance('End', group, {}) });
  await server.call('POST', path, {
    body: instance('End', group, { metadata: { name: 'held', finalizers: ['example.com/hold'] } }),
  });
  using watch = await server.watch(`${path}?watch=1`);
  const deleted = await server.call('DELETE', `${definitionsPath}/${name}`);
  assert.equal(deleted.code, 200);
  const gone = JSON.parse(deleted.text) as Definition;
  assert.deepEqual(gone.metadata.finalizers, ['customresourcecleanup.apiextensions.cluster.io']);
  assert.ok(gone.status.conditions.some(({ type, status }) => type === 'Terminating' && status === 'True'));
  await until('the free object is gone', async () => (await server.call('GET', `${path}/x`)).code === 404);
  const late = await server.call('POST', path, {
    body: instance('End', group, { metadata: { name: 'late' } }),
  });
  assert.deepEqual([late.code, late.json.reason], [405, 'MethodNotAllowed']);
  assert.equal((await server.call('GET', `${definitionsPath}/${name}`)).code, 200);
  await server.call('PATCH', `${path}/held`, {
    headers: mergePatch,
    body: { metadata: { finalizers: null } },
  });
  await until(
    'the definition is gone',
    async () => (await server.call('GET', `${definitionsPath}/${name}`)).code === 404,
  );
  await until('so is the type', async () => (await server.call('GET', path)).code === 404);
  await watch.ended;
  await establish(server, createDefinition('ends', 'End', withSpec({ a: text }), { group }));
  assert.deepEqual((await server.call('GET', path)).json.items, [], 'no earlier object is left');
});

test('a namespace deletes its custom objects, whatever version of their group is preferred', async () => {
  const group = 'spaces.example.com';
  await server.namespace('short-lived');
  await establish(server, createDefinition('firsts', 'First', withSpec({}), { group }));
  const beta = [{ name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: withSpec({}) } }];
  await establish(server, createDefinition('seconds', 'Second', {}, { group, versions: beta }));
  const path = `/apis/${group}/v1beta1/namespaces/short-lived/seconds`;
  const body = { apiVersion: `${group}/v1beta1`, kind: 'Second', metadata: { name: 'x' } };
  assert.equal((await server.call('POST', path, { body })).code, 201);
  await server.call('DELETE', '/api/v1/namespaces/short-lived');
  await until(
    'the namespace is gone',
    async () => (await server.call('GET', '/api/v1/namespaces/short-lived')).code === 404,
  );
  assert.equal((await server.call('GET', `${path}/x`)).code, 404);
});

test('schema extensions are accepted under their Kubernetes names', async () => {
  const group = 'alias.example.com';
  const schema = withSpec({
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
    inner: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  });
  await establish(server, createDefinition('aliases', 'Alias', schema, { group }));
  const path = `/apis/${group}/v1/namespaces/t/aliases`;
  const spec = { free: { a: 1 }, port: 'http', inner: { apiVersion: 'v1', kind: 'Pod', x: 1 }, set: ['a'] };
  const created = await server.call('POST', path, { body: instance('Alias', group, { spec }) });
  assert.deepEqual(JSON.parse(created.text).spec, spec);
  const twice = await server.call('POST', path, {
    body: instance('Alias', group, { metadata: { name: 'y' }, spec: { set: ['a', 'a'] } }),
  });
  assert.equal(twice.code, 422);
});

test('a group may have a name that is an alias in the other vocabulary', async () => {
  const group = 'harbour.k8s.io';
  await server.call('POST', '/apis/rbac.authorization.cluster.io/v1/clusterroles', {
    body: {
      metadata: { name: 'piers' },
      rules: [{ apiGroups: [group], resources: ['piers'], verbs: ['get'] }],
    },
  });
  await server.call('POST', '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings', {
    body: {
      metadata: { name: 'piers' },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'piers' },
      subjects: [{ kind: 'User', name: 'bob' }],
    },
  });
  const piers = createDefinition('piers', 'Pier', withSpec({ a: text }), { group });
  const annotations = { 'api-approved.kubernetes.io': 'https://example.com/1' };
  await establish(server, { ...piers, metadata: { ...piers.metadata, annotations } });
  const path = `/apis/${group}/v1/namespaces/t/piers`;
  const created = await server.call('POST', path, { body: instance('Pier', group, { spec: { a: '1' } }) });
  assert.equal(created.code, 201, created.text);
  assert.equal(JSON.parse(created.text).apiVersion, `${group}/v1`);
  assert.equal((await server.call('GET', `/apis/${group}/v1`)).json.groupVersion, `${group}/v1`);
  await until(
    'bob may read it',
    async () => (await server.call('GET', `${path}/x`, { token: 'bobtoken' })).code === 200,
  );
});

test('definitions and their objects are available after a restart', async () => {
  const group = 'restart.example.com';
  const path = `/apis/${group}/v1/namespaces/default/keeps`;
  await using directory = await createTemporaryDirectory();
  {
    await using first = await startApiServer({ dataDir: directory.path });
    await establish(first, createDefinition('keeps', 'Keep', withSpec({ a: text }), { group }));
    const created = await first.call('POST', path, { body: instance('Keep', group, { spec: { a: '1' } }) });
    assert.equal(created.code, 201);
  }
  await using second = await startApiServer({ dataDir: directory.path });
  assert.deepEqual(JSON.parse((await second.call('GET', `${path}/x`)).text).spec, { a: '1' });
});

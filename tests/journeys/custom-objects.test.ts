import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type ApiServer, until } from './api-server.ts';
import { establish, widgets } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await server.namespace('custom-objects');
  await establish(server, widgets);
});
after(() => server[Symbol.asyncDispose]());

const path = '/apis/shop.example.com/v1/namespaces/custom-objects/widgets';
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

function widget(name: string, spec: object, more: object = {}): object {
  return { apiVersion: 'shop.example.com/v1', kind: 'Widget', metadata: { name }, spec, ...more };
}

function create(name: string, spec: object, more: object = {}): Promise<Answer> {
  return server.call('POST', path, { body: widget(name, spec, more) });
}

function parseSpec({ text }: Answer): unknown {
  return (JSON.parse(text) as { spec?: unknown }).spec;
}

function readCauses({ json }: Answer): string[] {
  return json.details.causes
    .map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`)
    .sort();
}

test('an object gets defaults and loses fields that the schema does not have', async () => {
  const created = await create('a', {
    size: 2,
    unknown: 1,
    anything: { free: [1] },
    note: null,
    flavour: null,
    optional: {},
    template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', unknown: 1 }, rest: 2 },
  });
  assert.equal(created.code, 201, created.text);
  const spec = {
    size: 2,
    anything: { free: [1] },
    note: null,
    flavour: 'plain',
    optional: { depth: 5 },
    template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, rest: 2 },
    nested: { depth: 5 },
  };
  assert.deepEqual(parseSpec(created), spec);
  assert.deepEqual(parseSpec(await server.call('GET', `${path}/a`)), spec);
  assert.match(String(created.headers['warning']), /unknown field \\"spec.unknown\\"/);
  assert.match(String(created.headers['warning']), /unknown field \\"spec.template.metadata.unknown\\"/);
});

const refused: [what: string, spec: object, causes: string[]][] = [
  ['numbers out of bounds', { size: 0 }, ['Invalid spec.size']],
  ['a fraction', { size: 2.5 }, ['TypeInvalid spec.size']],
  ['another pattern', { code: 'b' }, ['Invalid spec.code']],
  ['a long text', { code: 'aaaaaa' }, ['TooLong spec.code']],
  ['none of the values', { colour: 'blue' }, ['NotSupported spec.colour']],
  ['neither integer nor text', { port: true }, ['TypeInvalid spec.port']],
  ['a time that is none', { since: 'now' }, ['TypeInvalid spec.since']],
  ['repeated tags', { tags: ['x', 'y', 'x'] }, ['Duplicate spec.tags[2]']],
  ['repeated parts', { parts: [{ name: 'x' }, { name: 'x', weight: 1 }] }, ['Duplicate spec.parts[1]']],
  ['a part without its key', { parts: [{ weight: 1 }] }, ['Required spec.parts[0].name']],
  ['too many labels', { labels: { a: 1, b: 2, c: 3 } }, ['TooMany spec.labels']],
  ['a label of another type', { labels: { a: 'x' } }, ['TypeInvalid spec.labels.a']],
  [
    'an embedded object without a version',
    { template: { kind: 'Pod' } },
    ['Required spec.template.apiVersion'],
  ],
  ['negative replicas', { replicas: -1 }, ['Invalid .spec.replicas']],
];
for (const [what, spec, causes] of refused) {
  test(`${what} is refused with its field`, async () => {
    const answer = await create('refused', spec);
    assert.equal(answer.code, 422, answer.text);
    assert.deepEqual(readCauses(answer), causes);
    assert.equal(answer.json.details.kind, 'Widget');
  });
}

test('metadata is validated like that of any object', async () => {
  assert.deepEqual(readCauses(await create('A_b', {})), ['Invalid metadata.name']);
  const strict = await server.call('POST', `${path}?fieldValidation=Strict`, {
    body: widget('strict', { unknown: 1 }, { metadata: { name: 'strict', bogus: 1 } }),
  });
  assert.equal(strict.code, 400);
  assert.match(strict.json.message, /unknown field "metadata.bogus", unknown field "spec.unknown"/);
  const twice = await server.call('POST', `${path}?fieldValidation=Strict`, {
    body: '{"kind":"Widget","apiVersion":"shop.example.com/v1","metadata":{"name":"x"},"spec":{"size":1,"size":2}}',
  });
  assert.match(twice.json.message, /duplicate field "spec.size"/);
});

test('another kind or version is refused', async () => {
  const kind = await create('k', {}, { kind: 'Gadget' });
  assert.deepEqual([kind.code, readCauses(kind)], [422, ['Invalid kind']]);
  assert.equal((await create('k', {}, { apiVersion: 'shop.example.com/v2' })).code, 400);
});

test('an update has a resourceVersion and increases the generation', async () => {
  const created = await create('u', { size: 1 });
  const blind = await server.call('PUT', `${path}/u`, { body: widget('u', { size: 2 }) });
  assert.deepEqual([blind.code, readCauses(blind)], [422, ['Invalid metadata.resourceVersion']]);
  const object = JSON.parse(created.text);
  const updated = await server.call('PUT', `${path}/u`, { body: { ...object, spec: { size: 2 } } });
  assert.equal(updated.code, 200, updated.text);
  assert.equal(JSON.parse(updated.text).metadata.generation, 2);
  const labelled = await server.call('PATCH', `${path}/u`, {
    headers: mergePatch,
    body: { metadata: { labels: { a: 'b' } } },
  });
  assert.equal(JSON.parse(labelled.text).metadata.generation, 2);
});

test('patches other than strategic merge patches are applied', async () => {
  await create('p', { size: 1 });
  const merged = await server.call('PATCH', `${path}/p`, {
    headers: mergePatch,
    body: { spec: { size: 3 } },
  });
  assert.deepEqual(parseSpec(merged), { size: 3, flavour: 'plain', note: 'none', nested: { depth: 5 } });
  const patched = await server.call('PATCH', `${path}/p`, {
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: [{ op: 'replace', path: '/spec/size', value: 7 }],
  });
  assert.equal((parseSpec(patched) as { size: number }).size, 7);
  const invalid = await server.call('PATCH', `${path}/p`, {
    headers: mergePatch,
    body: { spec: { size: 99 } },
  });
  assert.deepEqual(readCauses(invalid), ['Invalid spec.size']);
  const strategic = await server.call('PATCH', `${path}/p`, {
    headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
    body: {},
  });
  assert.equal(strategic.code, 415);
});

test('JSON and YAML are supported, protobuf is not', async () => {
  await create('f', { size: 1 });
  const protobuf = 'application/vnd.kubernetes.protobuf';
  assert.equal((await server.call('GET', `${path}/f`, { headers: { Accept: protobuf } })).code, 406);
  assert.equal((await server.call('GET', path, { headers: { Accept: protobuf } })).code, 406);
  const fallback = await server.call('GET', `${path}/f`, {
    headers: { Accept: `${protobuf},application/json` },
  });
  assert.equal(fallback.headers['content-type'], 'application/json');
  const yaml = await server.call('POST', path, {
    headers: { 'Content-Type': 'application/yaml', Accept: 'application/yaml' },
    body: 'apiVersion: shop.example.com/v1\nkind: Widget\nmetadata: {name: yaml}\nspec: {size: 3}\n',
  });
  assert.equal(yaml.code, 201, yaml.text);
  assert.match(yaml.text, /size: 3/);
  const sent = await server.call('POST', path, {
    headers: { 'Content-Type': protobuf },
    body: Buffer.from('k8s\0'),
  });
  assert.equal(sent.code, 415);
});

test('a watch shows the changes of an object', async () => {
  const { json } = await server.call('GET', path);
  using watch = await server.watch(`${path}?watch=1&resourceVersion=${json.metadata.resourceVersion}`);
  await create('w', { size: 1 });
  await server.call('PATCH', `${path}/w`, { headers: mergePatch, body: { spec: { size: 2 } } });
  await server.call('DELETE', `${path}/w`);
  await until('three events', () => watch.events.length === 3);
  assert.deepEqual(
    watch.events.map(({ type, object }) => [type, object.kind, object.metadata.name]),
    [
      ['ADDED', 'Widget', 'w'],
      ['MODIFIED', 'Widget', 'w'],
      ['DELETED', 'Widget', 'w'],
    ],
  );
});

test('the status is written through its subresource only', async () => {
  await create('s', { size: 1 }, { status: { phase: 'ignored' } });
  const before = await server.call('GET', `${path}/s/status`);
  assert.equal(JSON.parse(before.text).status, undefined);
  const patched = await server.call('PATCH', `${path}/s/status`, {
    headers: mergePatch,
    body: { metadata: { labels: { a: 'b' } }, spec: { size: 5 }, status: { phase: 'Ready', replicas: 2 } },
  });
  assert.equal(patched.code, 200, patched.text);
  const object = JSON.parse(patched.text);
  assert.deepEqual(
    [object.status, object.spec.size, object.metadata.labels, object.metadata.generation],
    [{ phase: 'Ready', replicas: 2 }, 1, undefined, 1],
  );
  const invalid = await server.call('PATCH', `${path}/s/status`, {
    headers: mergePatch,
    body: { status: { replicas: 'many' } },
  });
  assert.equal(invalid.code, 422);
  assert.ok(readCauses(invalid).includes('TypeInvalid status.replicas'));
  const ignored = await server.call('PATCH', `${path}/s`, {
    headers: mergePatch,
    body: { status: { phase: 'x' } },
  });
  assert.equal(JSON.parse(ignored.text).status.phase, 'Ready');
});

test('the scale subresource reads and writes the replicas paths of the definition', async () => {
  await create('c', { size: 1 });
  assert.equal((await server.call('GET', `${path}/c/scale`)).code, 500);
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'c', namespace: 'custom-objects' },
  };
  const put = await server.call('PUT', `${path}/c/scale`, { body: { ...scale, spec: { replicas: 4 } } });
  assert.equal(put.code, 200, put.text);
  const object = JSON.parse((await server.call('GET', `${path}/c`)).text);
  assert.deepEqual([object.spec.replicas, object.metadata.generation], [4, 2]);
  await server.call('PATCH', `${path}/c/status`, {
    headers: mergePatch,
    body: { status: { replicas: 3, selector: 'a=b' } },
  });
  const read = JSON.parse((await server.call('GET', `${path}/c/scale`)).text);
  assert.deepEqual(
    [read.kind, read.spec, read.status],
    ['Scale', { replicas: 4 }, { replicas: 3, selector: 'a=b' }],
  );
  const patched = await server.call('PATCH', `${path}/c/scale`, {
    headers: mergePatch,
    body: { spec: { replicas: 0 } },
  });
  assert.deepEqual(JSON.parse(patched.text).spec, {});
  const negative = await server.call('PATCH', `${path}/c/scale`, {
    headers: mergePatch,
    body: { spec: { replicas: -1 } },
  });
  assert.deepEqual(
    [negative.code, readCauses(negative), negative.json.details.kind],
    [422, ['Invalid .spec.replicas'], 'Widget'],
  );
  const stale = { ...scale, metadata: { ...scale.metadata, resourceVersion: '1' }, spec: { replicas: 1 } };
  assert.equal((await server.call('PUT', `${path}/c/scale`, { body: stale })).code, 409);
  assert.equal((await server.call('GET', `${path}/none/scale`)).code, 404);
});

test('a Table has the printer columns of the definition', async () => {
  await create('table', { size: 3, tags: ['x', 'y'] });
  const table = await server.call('GET', `${path}/table`, {
    headers: { Accept: 'application/json;as=Table;g=meta.cluster.io;v=v1' },
  });
  assert.deepEqual(
    table.json.columnDefinitions.map(({ name }) => name),
    ['Name', 'Size', 'Since', 'Tags'],
  );
  const [name, size, since, tags] = table.json.rows[0]?.cells ?? [];
  assert.deepEqual([name, size, tags], ['table', 3, '["x","y"]']);
  assert.match(String(since), /^\d+s$/);
});

test('selectors, chunks and deletions of collections work as for any kind', async () => {
  for (const name of ['l1', 'l2', 'l3']) await create(name, {}, { metadata: { name, labels: { set: 'l' } } });
  const chunk = await server.call('GET', `${path}?limit=1&labelSelector=set%3Dl`);
  assert.deepEqual([chunk.json.kind, chunk.json.items.length], ['WidgetList', 1]);
  assert.ok(chunk.json.metadata.continue);
  const named = await server.call('GET', `${path}?fieldSelector=metadata.name%3Dl2`);
  assert.deepEqual(
    named.json.items.map(({ metadata }) => metadata.name),
    ['l2'],
  );
  assert.equal((await server.call('GET', `${path}?fieldSelector=spec.size%3D1`)).code, 400);
  const deleted = await server.call('DELETE', `${path}?labelSelector=set%3Dl`);
  assert.equal(deleted.json.items.length, 3);
  assert.equal((await server.call('GET', `${path}/l1`)).code, 404);
});

test('roles grant access by group and resource', async () => {
  const token = 'bobtoken';
  assert.equal((await server.call('GET', path, { token })).code, 403);
  const rbac = '/apis/rbac.authorization.cluster.io/v1/namespaces/custom-objects';
  await server.call('POST', `${rbac}/roles`, {
    body: {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: ['shop.example.com'], resources: ['widgets'], verbs: ['list'] }],
    },
  });
  await server.call('POST', `${rbac}/rolebindings`, {
    body: {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', name: 'bob' }],
    },
  });
  await until('bob may list', async () => (await server.call('GET', path, { token })).code === 200);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, until } from './api-server.ts';
import { createHosts, type HostConverter, hookService } from './conversion-hosts.ts';
import { type ConversionSetup, type Hosts, parseSpec, startConversions } from './conversion-setup.ts';
import { definitionsPath } from './custom-widget.ts';

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;

before(async () => {
  setup = await startConversions();
  ({ server, converter } = setup);
});

after(() => setup[Symbol.asyncDispose]());

const hosts = (name: string): Promise<Hosts> => setup.hosts(name);

test('an object is read in the requested version', async () => {
  const { group, path, create } = await hosts('read');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  assert.deepEqual(converter.conversions(), [], 'the stored version needs no webhook');
  const read = await server.call('GET', path('v2', 'a'));
  assert.equal(read.json.apiVersion, `${group}/v2`);
  assert.deepEqual(parseSpec(read), { host: 'a.com', port: '81', zone: 'here' });
  const [call] = converter.server.calls;
  assert.equal(call?.review['apiVersion'], 'apiextensions.cluster.io/v1');
  assert.equal(call?.review['kind'], 'ConversionReview');
  assert.deepEqual(Object.keys(call?.request ?? {}).sort(), ['desiredAPIVersion', 'objects', 'uid']);
  assert.equal(call?.request['desiredAPIVersion'], `${group}/v2`);
  const repeated = await server.call('GET', path('v2', 'a'));
  assert.deepEqual(repeated.json, read.json);
  assert.deepEqual(converter.conversions(), [['a v1->v2']], 'what was converted a moment ago is kept');
});

test('a list is converted with one call, in each form', async () => {
  const { group, path, create } = await hosts('lists');
  assert.deepEqual((await server.call('GET', path('v2'))).json.items, []);
  assert.deepEqual(converter.conversions(), [], 'nothing to convert, no webhook called');
  for (const name of ['a', 'b', 'c']) await create('v1', name, { hostPort: `${name}.com:81` });
  const list = await server.call('GET', path('v2'));
  assert.deepEqual(converter.conversions(), [['a v1->v2', 'b v1->v2', 'c v1->v2']]);
  assert.equal(list.json.apiVersion, `${group}/v2`);
  assert.deepEqual(
    list.json.items.map(item => item.apiVersion),
    Array(3).fill(`${group}/v2`),
  );
  const accept = (as: string) => ({ headers: { Accept: `application/json;as=${as};g=meta.k8s.io;v=v1` } });
  const table = await server.call('GET', path('v2'), accept('Table'));
  assert.deepEqual(
    table.json.rows.map(row => row.cells),
    [
      ['a', 'a.com'],
      ['b', 'b.com'],
      ['c', 'c.com'],
    ],
  );
  const partial = await server.call('GET', path('v2'), accept('PartialObjectMetadataList'));
  assert.deepEqual(
    partial.json.items.map(item => item.metadata.name),
    ['a', 'b', 'c'],
  );
  const pretty = await server.call('GET', `${path('v2')}?pretty=true`);
  assert.deepEqual(pretty.json.items, list.json.items);
  const part = await server.call('GET', `${path('v2')}?limit=2`);
  assert.deepEqual(part.json.items, list.json.items.slice(0, 2));
  const rest = await server.call('GET', `${path('v2')}?limit=2&continue=${part.json.metadata.continue}`);
  assert.deepEqual(rest.json.items, list.json.items.slice(2));
  assert.deepEqual(
    converter.conversions(),
    [['a v1->v2', 'b v1->v2', 'c v1->v2']],
    'later parts come from the cache, and are converted as little as the first',
  );
});

test('writes in another version are stored in the storage version', async () => {
  const { group, path, host, create } = await hosts('writes');
  const stored = async () => parseSpec(await server.call('GET', path('v1', 'a')));
  assert.deepEqual(parseSpec(await create('v2', 'a', { host: 'a.com', port: '1' })), {
    host: 'a.com',
    port: '1',
    zone: 'here',
  });
  assert.deepEqual(await stored(), { hostPort: 'a.com:1', zone: 'here' });
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  const patched = await server.call('PATCH', path('v2', 'a'), {
    body: { spec: { port: '2' } },
    headers: merge,
  });
  assert.equal(patched.json.apiVersion, `${group}/v2`);
  assert.deepEqual(await stored(), { hostPort: 'a.com:2', zone: 'here' });
  const { resourceVersion } = patched.json.metadata;
  const body = host('v2', 'a', { host: 'b.com', port: '3', zone: 'there' });
  const replaced = await server.call('PUT', path('v2', 'a'), {
    body: { ...body, metadata: { name: 'a', resourceVersion } },
  });
  assert.equal(replaced.code, 200, replaced.text);
  assert.deepEqual(await stored(), { hostPort: 'b.com:3', zone: 'there' });
  const status = await server.call('PATCH', `${path('v2', 'a')}/status`, {
    body: { status: { phase: 'Up' }, spec: { host: 'ignored' } },
    headers: merge,
  });
  assert.equal(status.code, 200, status.text);
  assert.deepEqual(await stored(), { hostPort: 'b.com:3', zone: 'there' });
  assert.match((await server.call('GET', path('v1', 'a'))).text, /"phase":"Up"/);
  const stale = await server.call('PUT', path('v2', 'a'), {
    body: { ...body, metadata: { name: 'a', resourceVersion } },
  });
  assert.equal(stale.code, 409);
  const taken = await server.call('POST', path('v2'), { body });
  assert.equal(taken.json.reason, 'AlreadyExists');
});

test('a write without a change keeps the resourceVersion', async () => {
  const { path, create } = await hosts('nothing');
  await create('v2', 'a', { host: 'a.com', port: '1' });
  const before = (await server.call('GET', path('v2', 'a'))).json;
  const same = await server.call('PUT', path('v2', 'a'), { body: before });
  assert.equal(same.json.metadata.resourceVersion, before.metadata.resourceVersion);
});

test('a dry run stores nothing', async () => {
  const { path, host } = await hosts('dry');
  const body = host('v2', 'a', { host: 'a.com', port: '1' });
  assert.equal((await server.call('POST', `${path('v2')}?dryRun=All`, { body })).code, 201);
  assert.equal((await server.call('GET', path('v1', 'a'))).code, 404);
});

test('the scale subresource works in each version', async () => {
  const { path, create } = await hosts('scale');
  await create('v2', 'a', { host: 'a.com', port: '1', replicas: 2 });
  const scale = await server.call('GET', `${path('v2', 'a')}/scale`);
  assert.deepEqual(parseSpec(scale), { replicas: 2 });
  const scaled = await server.call('PATCH', `${path('v2', 'a')}/scale`, {
    body: { spec: { replicas: 5 } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.deepEqual(parseSpec(scaled), { replicas: 5 });
  assert.deepEqual(parseSpec(await server.call('GET', path('v1', 'a'))), {
    hostPort: 'a.com:1',
    replicas: 5,
    zone: 'here',
  });
});

test('deletions work through each version', async () => {
  const { path, create } = await hosts('deletions');
  for (const name of ['a', 'b', 'c']) await create('v1', name, { hostPort: `${name}.com:81` });
  assert.equal((await server.call('DELETE', path('v2', 'a'))).code, 200);
  const held = { body: { metadata: { finalizers: ['x.example.com/y'] } } };
  const merge = { headers: { 'Content-Type': 'application/merge-patch+json' } };
  await server.call('PATCH', path('v2', 'b'), { ...held, ...merge });
  const all = await server.call('DELETE', path('v2'));
  assert.equal(all.code, 200, all.text);
  assert.deepEqual(
    all.json.items.map(item => item.metadata.name),
    ['b', 'c'],
  );
  const left = (await server.call('GET', path('v1'))).json.items;
  assert.deepEqual(
    left.map(item => item.metadata.name),
    ['b'],
  );
  const freed = await server.call('PATCH', path('v2', 'b'), {
    body: { metadata: { finalizers: null } },
    ...merge,
  });
  assert.equal(freed.code, 200, freed.text);
  assert.deepEqual((await server.call('GET', path('v1'))).json.items, []);
});

test('after a change of the storage version objects of both versions are read and written', async () => {
  const { group, path, create } = await hosts('moves');
  await create('v1', 'old', { hostPort: 'old.com:1' });
  const definition = `${definitionsPath}/hosts.${group}`;
  const { versions } = createHosts(group, converter, 'v2').spec;
  const moved = await server.call('PATCH', definition, {
    body: { spec: { versions } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(moved.code, 200, moved.text);
  converter.server.calls.length = 0;
  await until('the new version is stored', async () => {
    const name = `new-${converter.server.calls.length}`;
    const { code } = await server.call('POST', path('v2'), {
      body: {
        apiVersion: `${group}/v2`,
        kind: 'Host',
        metadata: { name },
        spec: { host: 'new.com', port: '2' },
      },
    });
    assert.equal(code, 201);
    return converter.conversions().every(call => !call[0]?.startsWith(name));
  });
  const shown = async (version: string) => parseSpec(await server.call('GET', path(version, 'old')));
  assert.deepEqual(await shown('v1'), { hostPort: 'old.com:1', zone: 'here' });
  assert.deepEqual(await shown('v2'), { host: 'old.com', port: '1', zone: 'here' });
  const unchanged = await server.call('PATCH', path('v2', 'old'), {
    body: {},
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(unchanged.code, 200, unchanged.text);
  converter.answering = () => ({ result: { status: 'Failure', message: 'closed' } });
  assert.deepEqual(await shown('v2'), { host: 'old.com', port: '1', zone: 'here' }, 'it was stored anew');
});

test('a webhook is called at the address of its service', async () => {
  const { group, path, create } = await hosts('service');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  const body = { metadata: { name: hookService.name }, spec };
  assert.equal((await server.call('POST', '/api/v1/namespaces/default/services', { body })).code, 201);
  const { url, caBundle } = converter.server;
  const service = { ...hookService, port: Number(new URL(url).port) };
  const moved = await server.call('PATCH', `${definitionsPath}/hosts.${group}`, {
    body: { spec: { conversion: { webhook: { clientConfig: { url: null, service, caBundle } } } } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(moved.code, 200, moved.text);
  const hosted = () => converter.server.calls.some(call => call.path.startsWith(hookService.path));
  await until('the service is called', async () => {
    // Another object each time: what was converted a moment ago is kept.
    const name = `b-${converter.server.calls.length}`;
    await create('v1', name, { hostPort: 'b.com:81' });
    assert.equal((await server.call('GET', path('v2', name))).code, 200);
    return hosted();
  });
});

test('duration and failures of webhooks are measured', async () => {
  const { path, create, group } = await hosts('measured');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  converter.answering = () => ({ result: { status: 'Failure', message: 'no' } });
  assert.equal((await server.call('GET', path('v2', 'a'))).code, 500);
  converter.answering = 'well';
  assert.equal((await server.call('GET', path('v2', 'a'))).code, 200);
  const { text } = await server.call('GET', '/metrics');
  for (const succeeded of ['true', 'false'])
    assert.match(
      text,
      new RegExp(
        `apiserver_crd_webhook_conversion_duration_seconds_count\\{crd_name="hosts.${group}",from_version="v1",to_version="v2",succeeded="${succeeded}"\\} 1`,
      ),
    );
});

test('a webhook is called in the names of the author of its definition, not of the last writer', async () => {
  const group = 'author.conv.example.com';
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
  const body = { ...createHosts(group, converter), apiVersion: 'apiextensions.k8s.io/v1' };
  assert.equal((await server.call('POST', path, { body })).code, 201);
  const object = `/apis/${group}/v2/namespaces/default/hosts`;
  await until('the type is served', async () => (await server.call('GET', object)).code === 200);
  const reviews = async (count: number): Promise<readonly unknown[]> => {
    converter.server.calls.length = 0;
    const host = {
      apiVersion: `${group}/v2`,
      kind: 'Host',
      metadata: { name: `h${count}` },
      spec: { host: 'a', port: '1' },
    };
    const created = await server.call('POST', object, { body: host });
    assert.equal(created.code, 201, created.text);
    return [...new Set(converter.server.calls.map(({ review }) => review['apiVersion']))];
  };
  assert.deepEqual(await reviews(1), ['apiextensions.k8s.io/v1']);

  const own = `${definitionsPath}/hosts.${group}`;
  const merge = (body: object) =>
    server.call('PATCH', own, { body, headers: { 'Content-Type': 'application/merge-patch+json' } });
  // Shown, as ever, in the words of the path.
  for (const [at, name] of [
    [own, 'apiextensions.cluster.io/v1'],
    [`${path}/hosts.${group}`, 'apiextensions.k8s.io/v1'],
  ] as const)
    assert.equal((await server.call('GET', at)).json.apiVersion, name);
  assert.equal((await merge({ metadata: { labels: { a: 'b' } } })).code, 200);
  assert.deepEqual(
    await reviews(2),
    ['apiextensions.k8s.io/v1'],
    'a write of a label does not make its author the one of the webhook',
  );

  const webhook = { conversionReviewVersions: ['v1', 'v1beta1'] };
  assert.equal((await merge({ spec: { conversion: { webhook } } })).code, 200);
  let count = 3;
  await until('the new author is heard', async () => {
    const [only, ...more] = await reviews(count++);
    return more.length === 0 && only === 'apiextensions.cluster.io/v1';
  });
});

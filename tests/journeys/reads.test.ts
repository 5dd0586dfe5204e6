import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';

let server: ApiServer;
const maps = '/api/v1/namespaces/t/configmaps';
const names = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];

before(async () => {
  server = await startApiServer();
  await server.namespace('t');
  // In key order "t-b/…" stands before "t/…", in the order of namespaces after it.
  await server.namespace('t-b');
  for (const [index, name] of names.entries()) {
    const labels = index < 3 ? { tier: 'a', i: String(index) } : { i: String(index) };
    const created = await server.call('POST', maps, {
      body: { metadata: { name, labels }, data: { k: name } },
    });
    assert.equal(created.code, 201, created.text);
  }
  await server.call('POST', '/api/v1/namespaces/t-b/configmaps', { body: { metadata: { name: 'other' } } });
});
after(() => server?.[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', path, { headers });
const ours = (answer: Answer) =>
  answer.json.items.map(item => item.metadata.name).filter(name => !name.endsWith('ca.crt'));

test('a list without a version shows every write that was acknowledged before it', async () => {
  for (let i = 0; i < 20; i++) {
    const body = { metadata: { name: 'moving', resourceVersion: '' }, data: { i: String(i) } };
    const method = i === 0 ? 'POST' : 'PUT';
    const written = await server.call(method, i === 0 ? maps : `${maps}/moving`, { body });
    assert.ok(written.code < 300, written.text);
    const [listed, got] = await Promise.all([get(maps), get(`${maps}/moving`)]);
    const found = listed.json.items.find(item => item.metadata.name === 'moving');
    assert.equal(found?.data['i'], String(i));
    assert.equal(got.json.data['i'], String(i));
    assert.ok(Number(listed.json.metadata.resourceVersion) >= Number(written.json.metadata.resourceVersion));
  }
  assert.equal((await server.call('DELETE', `${maps}/moving`)).code, 200);
});

test('a get shows the object as it was stored, with its version', async () => {
  const answer = await get(`${maps}/c1`);
  assert.equal(answer.code, 200);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['cache-control'], 'no-cache, private');
  assert.match(String(answer.headers['audit-id']), /^[0-9a-f-]{36}$/);
  assert.equal(answer.json.kind, 'ConfigMap');
  assert.equal(answer.json.apiVersion, 'v1');
  assert.match(answer.json.metadata.resourceVersion, /^[0-9]+$/);
  assert.equal((await get(`${maps}/c1`, { 'Audit-Id': 'mine' })).headers['audit-id'], 'mine');
  assert.equal((await get(`${maps}/none`)).json.reason, 'NotFound');
});

test('selectors choose by labels and fields', async () => {
  const chosen: [string, string[]][] = [
    ['labelSelector=tier%3Da', ['c0', 'c1', 'c2']],
    ['labelSelector=!tier', ['c3', 'c4', 'c5']],
    ['labelSelector=i%20in%20(1,4)', ['c1', 'c4']],
    ['fieldSelector=metadata.name%3Dc3', ['c3']],
    ['fieldSelector=metadata.name!%3Dc3&labelSelector=!tier', ['c4', 'c5']],
    ['fieldSelector=metadata.namespace%3Dother', []],
  ];
  for (const [query, expected] of chosen)
    assert.deepEqual(ours(await get(`${maps}?${query}`)), expected, query);
  for (const path of [`${maps}?fieldSelector=data%3Dx`, '/api/v1/namespaces?fieldSelector=name%3Dt'])
    assert.equal((await get(path)).json.reason, 'BadRequest', path);
});

test('pages show one snapshot, whatever happens between them', async () => {
  const first = await get(`${maps}?limit=2&fieldSelector=metadata.namespace%3Dt`);
  assert.equal(first.json.metadata.remainingItemCount, undefined);
  const pages: string[][] = [];
  let token = '';
  const versions = new Set<string>();
  do {
    const page = await get(`${maps}?limit=2&labelSelector=i&continue=${encodeURIComponent(token)}`);
    assert.equal(page.code, 200, page.text);
    if (token === '')
      await server.call('POST', maps, { body: { metadata: { name: 'c00', labels: { i: '9' } } } });
    pages.push(ours(page));
    versions.add(page.json.metadata.resourceVersion);
    token = page.json.metadata.continue ?? '';
  } while (token !== '');
  assert.deepEqual(pages.flat(), names);
  assert.equal(versions.size, 1);
  await server.call('DELETE', `${maps}/c00`);
});

test('pages over all namespaces leave nothing out and show nothing twice', async () => {
  const whole = await get('/api/v1/configmaps');
  const seen: string[] = [];
  let token = '';
  let remaining: number | undefined;
  do {
    const page = await get(`/api/v1/configmaps?limit=1&continue=${encodeURIComponent(token)}`);
    const count = page.json.metadata.remainingItemCount;
    if (remaining !== undefined && count !== undefined) assert.equal(count, remaining - 1);
    remaining = count;
    seen.push(...page.json.items.map(item => `${item.metadata.namespace}/${item.metadata.name}`));
    token = page.json.metadata.continue ?? '';
  } while (token !== '');
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(
    seen.toSorted(),
    whole.json.items.map(i => `${i.metadata.namespace}/${i.metadata.name}`).toSorted(),
  );
});

test('a version is honoured as the table of the specification says', async () => {
  const now = (await get(maps)).json.metadata.resourceVersion;
  await server.call('POST', maps, { body: { metadata: { name: 'late' } } });
  const exact = await get(`${maps}?resourceVersion=${now}&resourceVersionMatch=Exact`);
  assert.equal(exact.json.metadata.resourceVersion, now);
  assert.deepEqual(ours(exact), names);
  const limited = await get(`${maps}?resourceVersion=${now}&limit=100`);
  assert.equal(limited.json.metadata.resourceVersion, now);
  const notOlder = await get(`${maps}?resourceVersion=${now}&resourceVersionMatch=NotOlderThan`);
  assert.ok(Number(notOlder.json.metadata.resourceVersion) >= Number(now));
  const any = await get(`${maps}?resourceVersion=0&limit=1`);
  assert.equal(any.code, 200);
  assert.equal(any.json.metadata.continue, undefined);
  await server.call('DELETE', `${maps}/late`);
});

test('the version of a write to another type can be asked for at once', async () => {
  const created = await server.call('POST', '/api/v1/namespaces/t/secrets', {
    body: { metadata: { name: 's' } },
  });
  const version = created.json.metadata.resourceVersion;
  const listed = await get(`${maps}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`);
  assert.equal(listed.code, 200);
  assert.ok(Number(listed.json.metadata.resourceVersion) >= Number(version));
  assert.equal((await get(`${maps}/c1?resourceVersion=${version}`)).code, 200);
});

test('a version that the store has not come to is a timeout that says so', async () => {
  for (const path of [`${maps}?resourceVersion=99999999`, `${maps}/c1?resourceVersion=99999999`]) {
    const answer = await get(path);
    assert.equal(answer.code, 504);
    assert.equal(answer.json.reason, 'Timeout');
    assert.match(answer.json.message, /Too large resource version/);
    assert.equal(answer.json.details.causes[0]?.reason, 'ResourceVersionTooLarge');
    assert.equal(answer.headers['retry-after'], '1');
  }
});

test('versions that cannot be are refused', async () => {
  const refused: [string, number][] = [
    ['resourceVersion=abc', 400],
    ['resourceVersionMatch=Exact', 422],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['resourceVersion=1&resourceVersionMatch=Foo', 422],
    ['continue=garbage', 400],
    ['continue=abc&resourceVersion=5', 400],
    ['continue=abc&resourceVersion=5&resourceVersionMatch=Exact', 422],
  ];
  for (const [query, code] of refused) assert.equal((await get(`${maps}?${query}`)).code, code, query);
});

test('a list has every form that a client may ask for', async () => {
  const table = await get(maps, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' });
  assert.equal(table.json.kind, 'Table');
  assert.equal(table.json.apiVersion, 'meta.k8s.io/v1');
  assert.equal(table.json.rows.length, names.length);
  assert.equal(table.json.rows[0]?.object?.kind, 'PartialObjectMetadata');
  const bare = await get(`${maps}/c0?includeObject=None`, {
    Accept: 'application/json;as=Table;v=v1;g=meta.cluster.io',
  });
  assert.equal(bare.json.rows[0]?.object, null);
  const partial = await get(maps, {
    Accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.cluster.io',
  });
  assert.equal(partial.json.kind, 'PartialObjectMetadataList');
  assert.equal(partial.json.items[0]?.data, undefined);
  const yaml = await get(`${maps}/c0`, { Accept: 'application/yaml' });
  assert.match(yaml.text, /^kind: ConfigMap$/m);
  const protobuf = await get(maps, { Accept: 'application/vnd.kubernetes.protobuf' });
  assert.equal(protobuf.headers['content-type'], 'application/vnd.kubernetes.protobuf');
  assert.ok(protobuf.text.startsWith('k8s\0'));
  const pretty = await get(`${maps}/c0?pretty=1`);
  assert.match(pretty.text, /^\{\n {2}"kind": "ConfigMap"/);
});

test('a group is served under its alias, with the name that the client uses', async () => {
  const roles = await get('/apis/rbac.authorization.k8s.io/v1/clusterroles');
  assert.equal(roles.json.apiVersion, 'rbac.authorization.k8s.io/v1');
  const role = await get('/apis/rbac.authorization.k8s.io/v1/clusterroles/view');
  assert.equal(role.json.apiVersion, 'rbac.authorization.k8s.io/v1');
  assert.equal(role.json.metadata.name, 'view');
  const canonical = await get('/apis/rbac.authorization.cluster.io/v1/clusterroles/view');
  assert.equal(canonical.json.apiVersion, 'rbac.authorization.cluster.io/v1');
  assert.equal(
    (await get('/apis/rbac.authorization.k8s.io/v1')).json.groupVersion,
    'rbac.authorization.k8s.io/v1',
  );
});

test('discovery lists groups, versions and resources', async () => {
  assert.deepEqual((await get('/api')).json.kind, 'APIVersions');
  const groups = (await get('/apis')).json.groups.map(group => group.name);
  assert.ok(groups.includes('rbac.authorization.cluster.io'));
  const resources = (await get('/api/v1')).json.resources;
  assert.ok(resources.find(resource => resource.name === 'configmaps')?.verbs.includes('watch'));
  assert.ok(resources.some(resource => resource.name === 'namespaces/finalize'));
  assert.equal((await get('/version/')).code, 200);
  assert.match((await get('/readyz?verbose')).text, /^\[\+\]ping ok\n.*healthz check passed\n$/s);
  assert.match((await get('/metrics')).text, /^apiserver_request_total\{/m);
});

test('a large list is compressed for clients that take it', async () => {
  const value = 'x'.repeat(100_000);
  for (const name of ['large-a', 'large-b']) {
    await server.call('POST', '/api/v1/namespaces/t-b/configmaps', {
      body: { metadata: { name }, data: { value } },
    });
  }
  const plain = await get('/api/v1/namespaces/t-b/configmaps');
  assert.equal(plain.headers['content-encoding'], undefined);
  const headers = { 'Accept-Encoding': 'gzip' };
  const packed = await fetchBytes('/api/v1/namespaces/t-b/configmaps', headers);
  assert.equal(packed.encoding, 'gzip');
  assert.deepEqual(JSON.parse(gunzipSync(packed.bytes).toString()).items, plain.json.items);
  const small = await fetchBytes(`${maps}/c0`, headers);
  assert.equal(small.encoding, undefined);
});

async function fetchBytes(path: string, headers: Record<string, string>) {
  const answer = await server.call('GET', path, { headers });
  return { encoding: answer.headers['content-encoding'], bytes: answer.bytes };
}

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type Answer, type ApiServer, type Document, startApiServer, until } from './api-server.ts';

const maps = '/api/v1/namespaces/t/configmaps';
const names = ['map-0', 'map-1', 'map-2', 'map-3', 'map-4', 'map-5', 'map-6'];
let server: ApiServer;

before(async () => {
  server = await startApiServer();
  for (const namespace of ['t', 'u']) await server.namespace(namespace);
  for (const [index, name] of names.entries()) {
    const labels = { parity: index % 2 === 0 ? 'even' : 'odd' };
    const { code } = await server.call('POST', maps, { body: { metadata: { name, labels } } });
    assert.equal(code, 201);
  }
});
after(() => server?.[Symbol.asyncDispose]());

const get = (query: string, headers: Record<string, string> = {}) =>
  server.call('GET', `${maps}?${query}`, { headers });
const namesIn = (answer: Answer) => answer.json.items.map(item => item.metadata.name);
const continued = (token: string) => `&continue=${encodeURIComponent(token)}`;
const readToken = ({ metadata }: Document) => metadata.continue;

/** All chunks of a query, up to the one without a token. */
async function readChunks(query: string, headers: Record<string, string> = {}): Promise<Answer[]> {
  const chunks: Answer[] = [];
  let token: string | undefined;
  do {
    const chunk = await get(`${query}${token === undefined ? '' : continued(token)}`, headers);
    assert.equal(chunk.code, 200, chunk.text);
    chunks.push(chunk);
    token = chunk.json.metadata.continue;
  } while (token !== undefined);
  return chunks;
}

test('each chunk respects the limit and has remainingItemCount, except the last one', async () => {
  const chunks = await readChunks('limit=3');
  assert.deepEqual(chunks.map(namesIn), [names.slice(0, 3), names.slice(3, 6), names.slice(6)]);
  assert.deepEqual(
    chunks.map(({ json }) => json.metadata.remainingItemCount),
    [4, 1, undefined],
  );
  assert.equal(new Set(chunks.map(({ json }) => json.metadata.resourceVersion)).size, 1);
  const last = chunks.at(-1)?.json.metadata ?? {};
  assert.deepEqual(
    [Object.hasOwn(last, 'continue'), Object.hasOwn(last, 'remainingItemCount')],
    [false, false],
  );
});

const selected: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ['labelSelector=parity%3Deven&limit=3', [['map-0', 'map-2', 'map-4'], ['map-6']]],
  [
    'labelSelector=parity%3Deven&limit=2',
    [
      ['map-0', 'map-2'],
      ['map-4', 'map-6'],
    ],
  ],
  [
    'fieldSelector=metadata.name!%3Dmap-1&limit=4',
    [
      ['map-0', 'map-2', 'map-3', 'map-4'],
      ['map-5', 'map-6'],
    ],
  ],
  ['labelSelector=parity%3Dodd&fieldSelector=metadata.name!%3Dmap-1&limit=1', [['map-3'], ['map-5']]],
];
for (const [query, expected] of selected) {
  test(`chunks with a selector respect the limit and have no remainingItemCount: ${query}`, async () => {
    const chunks = await readChunks(query);
    const filled = chunks.map(namesIn).filter(items => items.length > 0);
    assert.deepEqual(filled, expected);
    for (const { json } of chunks) assert.equal(json.metadata.remainingItemCount, undefined);
  });
}

for (const [from, settings] of [
  ['the watch cache', {}],
  ['the store', { watchCacheMaxEvents: 1 }],
] as const)
  test(`later chunks with a selector show the state of the first one, from ${from}`, async () => {
    await using own = await startApiServer(settings);
    await own.namespace('t');
    const write = async (method: string, name: string, app?: string) => {
      const body = app === undefined ? undefined : { metadata: { name, labels: { app } } };
      const path = method === 'POST' ? maps : `${maps}/${name}`;
      const { code, text } = await own.call(method, path, { ...(body && { body }) });
      assert.ok(code < 300, text);
    };
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      await write('POST', name, name < 'f' ? 'web' : 'db');
    const list = (query: string) => own.call('GET', `${maps}?labelSelector=app%3Dweb&${query}`);
    const first = await list('limit=2');
    const { resourceVersion } = first.json.metadata;
    await write('PUT', 'c', 'db');
    await write('DELETE', 'd');
    await write('PUT', 'f', 'web');
    await write('POST', 'cc', 'web');
    await write('PUT', 'e', 'db');
    await write('PUT', 'e', 'web');
    const shown = ({ json }: Answer) =>
      json.items.map(item => [item.metadata.name, item.metadata.resourceVersion]);
    const second = await list(`limit=2${continued(readToken(first.json))}`);
    const third = await list(`limit=2${continued(readToken(second.json))}`);
    const pages = [first, second, third];
    assert.deepEqual(pages.map(namesIn), [['a', 'b'], ['c', 'd'], ['e']]);
    for (const { json } of pages) assert.equal(json.metadata.resourceVersion, resourceVersion);
    assert.equal(third.json.metadata.continue, undefined);
    const exact = await list(`resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    assert.deepEqual(shown(exact), pages.flatMap(shown));
    for (const { metadata } of exact.json.items)
      assert.ok(Number(metadata.resourceVersion) <= Number(resourceVersion));
    assert.deepEqual(namesIn(await list('limit=9')), ['a', 'b', 'cc', 'e', 'f']);
  });

test('all chunks show the state of the first one, despite writes meanwhile', async () => {
  const first = await get('limit=2');
  const created = await server.call('POST', maps, { body: { metadata: { name: 'map-2-and-a-half' } } });
  assert.equal(created.code, 201);
  await server.call('PUT', `${maps}/map-3`, { body: { metadata: { name: 'map-3' }, data: { k: 'new' } } });
  await server.call('DELETE', `${maps}/map-5`);
  const rest = await get(`limit=100${continued(readToken(first.json))}`);
  assert.deepEqual(namesIn(rest), names.slice(2));
  assert.equal(rest.json.items[1]?.data, undefined);
  assert.equal(rest.json.metadata.resourceVersion, first.json.metadata.resourceVersion);
  const now = namesIn(await get('limit=100'));
  assert.ok(now.includes('map-2-and-a-half') && !now.includes('map-5'));
  await server.call('DELETE', `${maps}/map-2-and-a-half`);
  await server.call('POST', maps, { body: { metadata: { name: 'map-5', labels: { parity: 'odd' } } } });
  await server.call('PUT', `${maps}/map-3`, {
    body: { metadata: { name: 'map-3', labels: { parity: 'odd' } } },
  });
});

test('chunks of all namespaces are in order even if one name is the prefix of another', async () => {
  for (const namespace of ['n', 'n-b', 'n-a']) {
    await server.namespace(namespace);
    const body = { metadata: { name: 'spread', labels: { spread: 'yes' } } };
    const { code } = await server.call('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body });
    assert.equal(code, 201);
  }
  const listed: (string | undefined)[] = [];
  let token = '';
  do {
    const path = `/api/v1/configmaps?labelSelector=spread%3Dyes&limit=1${token && continued(token)}`;
    const { code, text, json } = await server.call('GET', path);
    assert.equal(code, 200, text);
    listed.push(...json.items.map(item => item.metadata.namespace));
    token = readToken(json) ?? '';
  } while (token !== '');
  assert.deepEqual(listed, ['n-a', 'n-b', 'n']);
});

test('every form of a list can be read in chunks', async () => {
  const table = await readChunks('limit=3', { Accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' });
  const rows = table.map(({ json }) => json.rows.map(row => row.cells[0]));
  assert.deepEqual(rows, [names.slice(0, 3), names.slice(3, 6), names.slice(6)]);
  assert.deepEqual(
    table.map(({ json }) => json.metadata.remainingItemCount),
    [4, 1, undefined],
  );
  for (const { json } of table) assert.ok(json.columnDefinitions.length > 0);
  const partial = await readChunks('limit=4', {
    Accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.cluster.io',
  });
  assert.deepEqual(partial.flatMap(namesIn), names);
  const yaml = await get('limit=3', { Accept: 'application/yaml' });
  assert.match(yaml.text, /^ {2}continue: /m);
  assert.match(yaml.text, /^ {2}remainingItemCount: 4$/m);
});

test('a protobuf list can be read in chunks, with tokens that are valid for every form', async () => {
  const headers = { Accept: 'application/vnd.cluster.protobuf' };
  let json: Answer;
  let protobuf: Answer;
  let repeated: Answer;
  // Until nothing is written between them: the server writes for itself too.
  do {
    json = await get('limit=3');
    protobuf = await get('limit=3', headers);
    repeated = await get('limit=3');
  } while (json.json.metadata.resourceVersion !== repeated.json.metadata.resourceVersion);
  // The token is text in the list's metadata: it is the one that the lists in JSON have.
  assert.ok(protobuf.bytes.includes(readToken(json.json)));
  for (const name of ['map-0', 'map-1', 'map-2']) assert.ok(protobuf.bytes.includes(name));
  const rest = await get(`limit=3${continued(readToken(json.json))}`, headers);
  for (const name of ['map-3', 'map-4', 'map-5']) assert.ok(rest.bytes.includes(name));
  assert.ok(!rest.bytes.includes('map-2') && !rest.bytes.includes('map-6'));
});

test('a token is valid for its own list only, and shows nothing outside another list', async () => {
  const { json } = await get('limit=2');
  await server.call('POST', '/api/v1/namespaces/u/configmaps', { body: { metadata: { name: 'map-9' } } });
  for (const path of ['/api/v1/namespaces/u/configmaps', '/api/v1/namespaces/t/secrets']) {
    const answer = await server.call('GET', `${path}?limit=9${continued(readToken(json))}`);
    assert.equal(answer.code, 200);
    for (const item of answer.json.items) assert.match(path, new RegExp(`/${item.metadata.namespace}/`));
  }
});

test('a modified token is refused', async () => {
  const { json } = await get('limit=2');
  const token = readToken(json);
  const decoded = JSON.parse(Buffer.from(token, 'base64url').toString());
  assert.deepEqual(decoded, {
    v: 'meta.cluster.io/v1',
    rv: Number(json.metadata.resourceVersion),
    start: 'map-1\0',
  });
  const changed: [string, object][] = [
    ['another version', { v: 'meta.cluster.io/v99' }],
    ['no resource version', { rv: 0 }],
    ['a resource version that is none', { rv: 'x' }],
    ['a way up', { start: '../u/map-9' }],
    ['a way up inside', { start: 'a/../../u/map-9' }],
    ['an absolute start', { start: '/core/secrets/' }],
    ['no start', { start: undefined }],
  ];
  for (const [name, change] of changed) {
    const text = Buffer.from(JSON.stringify({ ...decoded, ...change })).toString('base64url');
    const answer = await get(`limit=2${continued(text)}`);
    assert.deepEqual([answer.code, answer.json.reason], [400, 'BadRequest'], name);
    assert.match(answer.json.message, /continue token/);
  }
  for (const text of ['abc', token.slice(1), `${token}=`.slice(2)])
    assert.equal((await get(`limit=2${continued(text)}`)).code, 400);
  const written = Buffer.from(JSON.stringify({ ...decoded, v: 'meta.k8s.io/v1' })).toString('base64url');
  assert.deepEqual(namesIn(await get(`limit=2${continued(written)}`)), ['map-2', 'map-3']);
});

test('an expired token is answered with one that continues at the current state', async () => {
  await using small = await startApiServer({ historyWindow: 1_000 });
  await small.namespace('t');
  const list = (query: string) => small.call('GET', `${maps}?${query}`);
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await small.call('POST', maps, { body: { metadata: { name } } });
  }
  const first = await list('limit=2');
  let expired: Answer | undefined;
  await until('the token has expired', async () => {
    await small.call('PUT', `${maps}/a`, {
      body: { metadata: { name: 'a' }, data: { t: String(Math.random()) } },
    });
    expired = await list(`limit=1${continued(readToken(first.json))}`);
    return expired.code === 410;
  });
  assert.ok(expired);
  assert.deepEqual([expired.json.reason, expired.json.code], ['Expired', 410]);
  await small.call('DELETE', `${maps}/d`);
  await small.call('POST', maps, { body: { metadata: { name: 'cc' } } });
  const second = await list(`limit=1${continued(readToken(expired.json))}`);
  assert.deepEqual([second.code, ...namesIn(second)], [200, 'c']);
  assert.equal(second.json.metadata.remainingItemCount, 2);
  assert.ok(Number(second.json.metadata.resourceVersion) > Number(first.json.metadata.resourceVersion));
  // From here on the chunks are one state again.
  await small.call('DELETE', `${maps}/cc`);
  const third = await list(`limit=9${continued(readToken(second.json))}`);
  assert.deepEqual(namesIn(third), ['cc', 'e']);
  assert.equal(third.json.metadata.resourceVersion, second.json.metadata.resourceVersion);
});

test('without APIListChunking limit and continue are ignored', async () => {
  await using whole = await startApiServer({ featureGates: featureGatesFrom('APIListChunking=false') });
  await whole.namespace('t');
  for (const name of names) await whole.call('POST', maps, { body: { metadata: { name } } });
  const { json } = await get('limit=2');
  const now = (await whole.call('GET', maps)).json.metadata.resourceVersion;
  for (const query of [
    'limit=2',
    `limit=2${continued(readToken(json))}`,
    `limit=2&resourceVersion=${now}`,
    'continue=nonsense',
    `continue=nonsense&resourceVersion=${now}`,
  ]) {
    const answer = await whole.call('GET', `${maps}?${query}`);
    assert.equal(answer.code, 200, answer.text);
    assert.deepEqual(namesIn(answer), names);
    assert.deepEqual(Object.keys(answer.json.metadata), ['resourceVersion']);
  }
});

test('without RemainingItemCount chunks have no remainingItemCount', async () => {
  await using silent = await startApiServer({ featureGates: featureGatesFrom('RemainingItemCount=false') });
  await silent.namespace('t');
  for (const name of names) await silent.call('POST', maps, { body: { metadata: { name } } });
  const first = await silent.call('GET', `${maps}?limit=2`);
  const second = await silent.call('GET', `${maps}?limit=2${continued(readToken(first.json))}`);
  for (const { json } of [first, second])
    assert.deepEqual(Object.keys(json.metadata).toSorted(), ['continue', 'resourceVersion']);
});

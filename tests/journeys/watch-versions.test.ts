import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import { type ApiServer, type Document, startApiServer, until, type WatchStream } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';
import { openWebSocket } from './web-socket-client.ts';

const maps = '/api/v1/namespaces/watch-versions/configmaps';
const closingName = 'k8s.io/initial-events-end';
let server: ApiServer;
let count = 0;

before(async () => {
  server = await shareApiServer();
  await server.namespace('watch-versions');
});
after(() => server?.[Symbol.asyncDispose]());

async function put(name: string, data: Record<string, string> = {}, labels = {}): Promise<string> {
  const body = { metadata: { name, labels }, data };
  const updated = await server.call('PUT', `${maps}/${name}`, { body });
  const written = updated.code === 404 ? await server.call('POST', maps, { body }) : updated;
  assert.ok(written.code < 300, written.text);
  return written.json.metadata.resourceVersion;
}

/** Two objects of a label of their own, and the versions around them. */
async function fixture() {
  const label = `l${count++}`;
  const mine = { [label]: '' };
  const first = await put(`${label}-a`, { k: '1' }, mine);
  const second = await put(`${label}-b`, { k: '2' }, mine);
  // Never the same twice: what changes nothing is no write.
  const later = (name: string) => put(`${label}-${name}`, { k: String(count++) }, mine);
  return { label, first, second, later, query: `watch=1&labelSelector=${label}` };
}

const brief = ({ type, object }: Document) =>
  type === 'BOOKMARK'
    ? `BOOKMARK${object.metadata.annotations?.[closingName] === 'true' ? ' closing' : ''}`
    : `${type} ${object.metadata.name.replace(/^l\d+-/, '')}`;
const heard = (stream: WatchStream, events: number) =>
  until(`${events} events`, () => stream.events.length >= events);
const version = (event: Document | undefined) => Number(event?.object.metadata.resourceVersion);

const closing = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const silent = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan';

/** Cells of the table of watches, and what they show: before the next change, and it. */
const cells: readonly (readonly [string, readonly string[]])[] = [
  ['', ['ADDED a', 'ADDED b']],
  ['resourceVersion=', ['ADDED a', 'ADDED b']],
  ['resourceVersion=0', ['ADDED a', 'ADDED b']],
  ['resourceVersion={first}', ['ADDED b']],
  ['resourceVersion={second}', []],
  ['resourceVersion={first}&limit=1&continue=nonsense', ['ADDED b']],
  [closing, ['ADDED a', 'ADDED b', 'BOOKMARK closing']],
  [`${closing}&resourceVersion=0`, ['ADDED a', 'ADDED b', 'BOOKMARK closing']],
  [`${closing}&resourceVersion={first}`, ['ADDED a', 'ADDED b', 'BOOKMARK closing']],
  [`${closing}&resourceVersion={second}`, ['ADDED a', 'ADDED b', 'BOOKMARK closing']],
  ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan', ['ADDED a', 'ADDED b']],
  ['sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=0', ['ADDED a', 'ADDED b']],
  [silent, []],
  [`${silent}&resourceVersion=0`, []],
  [`${silent}&resourceVersion={first}`, ['ADDED b']],
  [`${silent}&allowWatchBookmarks=true&resourceVersion={first}`, ['ADDED b']],
];

describe('a watch', () => {
  for (const [query, shown] of cells) {
    test(`${query || 'without a version'} shows ${shown.join(', ') || 'only later changes'}`, async () => {
      const { first, second, later, query: selector } = await fixture();
      const filled = query.replace('{first}', first).replace('{second}', second);
      if (query.includes('resourceVersion=0')) await cacheShows(selector, 2);
      using stream = await server.watch(`${maps}?${selector}&${filled}`);
      assert.equal(stream.code, 200);
      // Other bookmarks come when it is their time.
      const told = () => stream.events.filter(event => brief(event) !== 'BOOKMARK');
      await until('what is there', () => told().length >= shown.length);
      const written = await later('c');
      await until('what is new', () => told().length > shown.length);
      assert.deepEqual(told().map(brief), [...shown, 'ADDED c']);
      assert.equal(version(told().at(-1)), Number(written));
      const bookmark = told().find(event => event.type === 'BOOKMARK');
      if (bookmark === undefined) return;
      assert.ok(version(bookmark) >= Number(second) && version(bookmark) < Number(written));
      assert.deepEqual([bookmark.object.kind, bookmark.object.apiVersion], ['ConfigMap', 'v1']);
    });
  }
});

/** Version 0 may be old: waits until it shows what there is. */
async function cacheShows(selector: string, objects: number): Promise<void> {
  await until('the cache has the objects', async () => {
    const list = await server.call('GET', `${maps}?${selector.replace('watch=1', 'resourceVersion=0')}`);
    return list.json.items.length === objects;
  });
}

const match = 'FieldValueForbidden resourceVersionMatch';
const unsupported = 'FieldValueNotSupported resourceVersionMatch';
/** Refused watches, with the reasons and fields of the causes. */
const refused: readonly (readonly [string, number, readonly string[]])[] = [
  ['resourceVersion=abc', 400, []],
  ['resourceVersion=-1', 400, []],
  ['timeoutSeconds=abc', 400, []],
  ['resourceVersion=1&resourceVersionMatch=Exact', 422, [match]],
  ['resourceVersion=1&resourceVersionMatch=NotOlderThan', 422, [match]],
  ['resourceVersionMatch=NotOlderThan', 422, [match, match]],
  ['sendInitialEvents=true', 422, [match]],
  ['sendInitialEvents=false', 422, [match]],
  ['sendInitialEvents=true&resourceVersion=1', 422, [match]],
  ['sendInitialEvents=true&resourceVersionMatch=Exact', 422, [match, unsupported]],
  ['sendInitialEvents=false&resourceVersionMatch=Foo', 422, [match, unsupported]],
  ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x', 422, [match]],
  ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=abc', 400, []],
];

describe('an invalid watch', () => {
  for (const [query, code, causes] of refused) {
    test(`${query} is ${code}`, async () => {
      const { json } = await server.call('GET', `${maps}?watch=1&${query}`);
      const found = (json.details?.causes ?? []).map(cause => `${cause.reason} ${cause.field}`);
      assert.deepEqual([json.kind, json.code, found.toSorted()], ['Status', code, causes.toSorted()]);
    });
  }
});

test('a watch at a future resourceVersion is silent until its timeout', async () => {
  for (const [version, query] of [
    ['99999999', ''],
    ['99999999', `&${closing}`],
    ['18446744073709551615', ''],
  ]) {
    const future = `watch=1&resourceVersion=${version}&timeoutSeconds=1${query}`;
    using stream = await server.watch(`${maps}?${future}`);
    await stream.ended;
    assert.deepEqual([stream.code, stream.events], [200, []]);
  }
});

test('initial events not older than a future resourceVersion are sent when it is reached', async () => {
  const { second, later, query } = await fixture();
  const to = Number(second) + 3;
  using stream = await server.watch(`${maps}?${query}&${closing}&resourceVersion=${to}`);
  let written = 0;
  while (written < to) written = Number(await later('c'));
  await until('the closing bookmark', () => stream.events.some(event => brief(event) === 'BOOKMARK closing'));
  const end = stream.events.findIndex(event => event.type === 'BOOKMARK');
  assert.ok(version(stream.events[end]) >= to);
  const existing = stream.events.slice(0, end);
  assert.deepEqual(existing.map(brief), ['ADDED a', 'ADDED b', 'ADDED c']);
});

test('the bookmark after initial events has the resourceVersion of a write to another type', async () => {
  const { query } = await fixture();
  const { json } = await server.call('POST', '/api/v1/namespaces/watch-versions/secrets', {
    body: { metadata: { generateName: 's-' } },
  });
  const other = json.metadata.resourceVersion;
  using stream = await server.watch(`${maps}?${query}&${closing}&resourceVersion=${other}`);
  await heard(stream, 3);
  assert.deepEqual(stream.events.map(brief), ['ADDED a', 'ADDED b', 'BOOKMARK closing']);
  assert.ok(version(stream.events[2]) >= Number(other));
});

test('a bookmark ends empty initial events, and its resourceVersion is valid', async () => {
  const { query, later } = await fixture();
  using empty = await server.watch(`${maps}?${query}-nothing&${closing}`);
  await heard(empty, 1);
  assert.deepEqual(empty.events.map(brief), ['BOOKMARK closing']);
  const at = version(empty.events[0]);
  await later('c');
  using resumed = await server.watch(`${maps}?${query}&resourceVersion=${at}`);
  await heard(resumed, 1);
  assert.deepEqual(resumed.events.map(brief), ['ADDED c']);
});

test('concurrent watches all get complete initial events', async () => {
  const { query, later } = await fixture();
  for (let i = 0; i < 40; i++) await later(`x${String(i).padStart(2, '0')}`);
  const streams = await Promise.all(
    Array.from({ length: 30 }, () => server.watch(`${maps}?${query}&${closing}`)),
  );
  for (const stream of streams) {
    await heard(stream, 43);
    const initial = stream.events.slice(0, 43).map(brief);
    assert.equal(initial.at(-1), 'BOOKMARK closing');
    assert.equal(new Set(initial).size, 43);
    stream[Symbol.dispose]();
  }
});

test('initial events end with a bookmark in every form of a watch', async () => {
  const { query } = await fixture();
  const path = `${maps}?${query}&${closing}`;
  const group = 'v=v1;g=meta.cluster.io';
  using table = await server.watch(path, { headers: { Accept: `application/json;as=Table;${group}` } });
  await heard(table, 3);
  const [first, second, end] = table.events;
  assert.equal(first?.object.columnDefinitions.length, 3);
  assert.equal(second?.object.columnDefinitions, null);
  assert.equal(end?.type, 'BOOKMARK');
  assert.equal(end.object.rows[0]?.object?.metadata.annotations[closingName], 'true');
  assert.equal(end.object.rows[0]?.object?.metadata.resourceVersion, end.object.metadata.resourceVersion);
  using partial = await server.watch(path, {
    headers: { Accept: `application/json;as=PartialObjectMetadata;${group}` },
  });
  await heard(partial, 3);
  assert.deepEqual(partial.events.map(brief), ['ADDED a', 'ADDED b', 'BOOKMARK closing']);
  assert.equal(partial.events[2]?.object.kind, 'PartialObjectMetadata');
  const protobuf = await server.call('GET', `${path}&timeoutSeconds=1`, {
    headers: { Accept: 'application/vnd.cluster.protobuf' },
  });
  assert.ok(protobuf.bytes.includes('BOOKMARK') && protobuf.bytes.includes(closingName));
  using socket = await openWebSocket(server, path);
  await until('the closing bookmark', () => socket.frames.length >= 3);
  assert.deepEqual(socket.events().map(brief), ['ADDED a', 'ADDED b', 'BOOKMARK closing']);
});

test('the bookmark has both annotations, the Kubernetes one only with compatibility', ofCluster, async () => {
  await using strict = await startApiServer({ kubernetesClientCompatibility: false });
  await strict.namespace('watch-versions');
  for (const [asked, names] of [
    [server, ['cluster.io/initial-events-end', closingName]],
    [strict, ['cluster.io/initial-events-end']],
  ] as const) {
    using stream = await asked.watch(`${maps}?watch=1&labelSelector=nothing&${closing}`);
    await heard(stream, 1);
    assert.deepEqual(Object.keys(stream.events[0]?.object.metadata.annotations ?? {}).toSorted(), names);
  }
});

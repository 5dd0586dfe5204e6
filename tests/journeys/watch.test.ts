import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { decodeProtobuf } from '@binnacle/codecs';
import { type ApiServer, type Document, startApiServer, until, type WatchStream } from './api-server.ts';
import { establish, widgets } from './custom-widget.ts';

let server: ApiServer;
let count = 0;

before(async () => {
  server = await startApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

/** A namespace of its own for a test, and the version to watch from. */
async function fresh(): Promise<{ maps: string; version: string }> {
  const name = `w${count++}`;
  await server.namespace(name);
  const maps = `/api/v1/namespaces/${name}/configmaps`;
  return { maps, version: (await server.call('GET', maps)).json.metadata.resourceVersion };
}

async function put(maps: string, name: string, data: Record<string, string>, labels = {}): Promise<string> {
  const body = { metadata: { name, labels }, data };
  const updated = await server.call('PUT', `${maps}/${name}`, { body });
  const written = updated.code === 404 ? await server.call('POST', maps, { body }) : updated;
  assert.ok(written.code < 300, written.text);
  return written.json.metadata.resourceVersion;
}

const summary = (event: Document) => [event.type, event.object.metadata.name, event.object.data?.['k']];
const heard = (stream: WatchStream, events: number) =>
  until(`${events} events`, () => stream.events.length >= events);
const ascending = (stream: WatchStream) => {
  const versions = stream.events.map(event => Number(event.object.metadata.resourceVersion));
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  );
};

test('a watch reports every change after its resourceVersion in order', async () => {
  const { maps, version } = await fresh();
  await put(maps, 'a', { k: '1' });
  using stream = await server.watch(`${maps}?watch=1&resourceVersion=${version}`);
  assert.equal(stream.code, 200);
  assert.equal(stream.headers['content-type'], 'application/json');
  await put(maps, 'a', { k: '2' });
  await put(maps, 'b', { k: '3' });
  await server.call('DELETE', `${maps}/a`);
  await heard(stream, 4);
  assert.deepEqual(stream.events.map(summary), [
    ['ADDED', 'a', '1'],
    ['MODIFIED', 'a', '2'],
    ['ADDED', 'b', '3'],
    ['DELETED', 'a', '2'],
  ]);
  ascending(stream);
  assert.equal(stream.events[0]?.object.kind, 'ConfigMap');
});

test('a watch without a resourceVersion begins with existing objects', async () => {
  const { maps } = await fresh();
  await put(maps, 'a', { k: '1' });
  for (const query of ['watch=1', 'watch=true&resourceVersion=0']) {
    using stream = await server.watch(`${maps}?${query}&fieldSelector=metadata.name!%3Dx`);
    await heard(stream, 1);
    assert.deepEqual(stream.events.slice(0, 1).map(summary), [['ADDED', 'a', '1']]);
  }
});

test('an object that begins to match is added, one that ceases to is deleted with its last matching state', async () => {
  const { maps, version } = await fresh();
  using stream = await server.watch(`${maps}?watch=1&resourceVersion=${version}&labelSelector=x%3D1`);
  await put(maps, 'a', { k: '1' });
  await put(maps, 'a', { k: '2' }, { x: '1' });
  const left = await put(maps, 'a', { k: '3' }, { x: '2' });
  await put(maps, 'a', { k: '4' }, { x: '1' });
  await server.call('DELETE', `${maps}/a`);
  await heard(stream, 4);
  assert.deepEqual(stream.events.map(summary), [
    ['ADDED', 'a', '2'],
    ['DELETED', 'a', '2'],
    ['ADDED', 'a', '4'],
    ['DELETED', 'a', '4'],
  ]);
  assert.equal(stream.events[1]?.object.metadata.resourceVersion, left);
});

test('one object is watched with a field selector or on the legacy path', async () => {
  const { maps, version } = await fresh();
  const legacy = maps.replace('/api/v1/', '/api/v1/watch/');
  for (const path of [`${maps}?watch=1&fieldSelector=metadata.name%3Db&`, `${legacy}/b?`]) {
    using stream = await server.watch(`${path}resourceVersion=${version}`);
    await put(maps, 'a', { k: String(count++) });
    await put(maps, 'b', { k: 'b' });
    await heard(stream, 1);
    assert.equal(stream.events[0]?.object.metadata.name, 'b');
  }
});

test('a watch ends at its timeout, with a requested bookmark, and the connection can be reused', async () => {
  const { maps, version } = await fresh();
  const written = await put(maps, 'a', { k: '1' });
  using stream = await server.watch(
    `${maps}?watch=1&resourceVersion=${version}&timeoutSeconds=1&allowWatchBookmarks=true`,
  );
  await stream.ended;
  const last = stream.events.at(-1);
  assert.equal(last?.type, 'BOOKMARK');
  assert.equal(last?.object.kind, 'ConfigMap');
  assert.ok(Number(last?.object.metadata.resourceVersion) >= Number(written));
  for (const start of [`resourceVersion=${written}`, 'resourceVersion=0&labelSelector=none']) {
    using silent = await server.watch(`${maps}?watch=1&${start}&timeoutSeconds=1`);
    await silent.ended;
    assert.deepEqual([silent.code, silent.events], [200, []], start);
  }
});

test('a watch from a compacted resourceVersion gets an ERROR event', async () => {
  await using small = await startApiServer({ historyWindow: 1_000 });
  await small.namespace('t');
  const maps = '/api/v1/namespaces/t/configmaps';
  await until('the version is out of the window', async () => {
    await small.call('POST', maps, { body: { metadata: { generateName: 'x-' } } });
    using stream = await small.watch(`${maps}?watch=1&resourceVersion=1&timeoutSeconds=1`);
    assert.equal(stream.code, 200);
    await stream.ended;
    const [event] = stream.events;
    if (event?.type !== 'ERROR') return false;
    assert.equal(stream.events.length, 1);
    assert.equal(event.object.kind, 'Status');
    assert.equal(event.object.reason, 'Expired');
    assert.equal(event.object.code, 410);
    return true;
  });
});

test('a watch at a future resourceVersion gets only later changes', async () => {
  const { maps, version } = await fresh();
  using stream = await server.watch(`${maps}?watch=1&resourceVersion=${Number(version) + 2}`);
  await put(maps, 'a', { k: '1' });
  await put(maps, 'a', { k: '2' });
  await put(maps, 'a', { k: '3' });
  await put(maps, 'a', { k: '4' });
  await until('the last change is heard', () => stream.events.at(-1)?.object.data['k'] === '4');
  assert.ok(Number(stream.events[0]?.object.metadata.resourceVersion) > Number(version) + 2);
});

test('each supported form of a watch is returned', async () => {
  const { maps, version } = await fresh();
  await put(maps, 'a', { k: '1' });
  const path = `${maps}?watch=1&resourceVersion=${version}&timeoutSeconds=1`;
  const table = await server.call('GET', path, {
    headers: { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  });
  assert.equal(table.json.type, 'ADDED');
  assert.equal(table.json.object.kind, 'Table');
  assert.equal(table.json.object.rows[0]?.cells[0], 'a');
  const partial = await server.call('GET', path, {
    headers: { Accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  });
  assert.equal(partial.json.object.kind, 'PartialObjectMetadata');
  assert.equal(partial.json.object.data, undefined);
  const protobuf = await server.call('GET', path, {
    headers: { Accept: 'application/vnd.kubernetes.protobuf' },
  });
  assert.equal(protobuf.headers['content-type'], 'application/vnd.kubernetes.protobuf;stream=watch');
  assert.equal(protobuf.bytes.readUInt32BE(0), protobuf.bytes.length - 4);
  assert.ok(protobuf.bytes.includes('k8s\0'));
  const json = await server.call('GET', path, { headers: { Accept: 'application/json;stream=watch' } });
  assert.deepEqual([json.code, json.headers['content-type']], [200, 'application/json']);
  assert.equal(json.json.object.kind, 'ConfigMap');
  const yaml = await server.call('GET', path, { headers: { Accept: 'application/yaml' } });
  assert.equal(yaml.code, 406);
});

test('metadata in protobuf is returned as the metadata client of client-go requests it, for custom objects too', async () => {
  const { maps } = await fresh();
  await put(maps, 'a', { k: 'secret' });
  await establish(server, widgets);
  const widgetsPath = `/apis/shop.example.com/v1/${maps.split('/').slice(3, 5).join('/')}/widgets`;
  const body = {
    apiVersion: 'shop.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 2 },
  };
  assert.equal((await server.call('POST', widgetsPath, { body })).code, 201);
  const binary = 'application/vnd.kubernetes.protobuf';
  const accepting = (kind: string) => ({
    Accept: [binary, 'application/json']
      .map(type => `${type};as=${kind};g=meta.k8s.io;v=v1`)
      .concat('application/json')
      .join(),
  });
  for (const path of [maps, widgetsPath]) {
    const one = await server.call('GET', `${path}/a`, { headers: accepting('PartialObjectMetadata') });
    const list = await server.call('GET', path, { headers: accepting('PartialObjectMetadataList') });
    const watch = await server.call('GET', `${path}?watch=1&timeoutSeconds=1`, {
      headers: accepting('PartialObjectMetadata'),
    });
    for (const [answer, type, kind] of [
      [one, binary, 'PartialObjectMetadata'],
      [list, binary, 'PartialObjectMetadataList'],
      [watch, `${binary};stream=watch`, 'PartialObjectMetadata'],
    ] as const) {
      assert.deepEqual([answer.code, answer.headers['content-type']], [200, type], path);
      const { bytes } = answer;
      const message = messageNamed(`meta.v1.${kind}`);
      const read = decodeProtobuf(bytes.subarray(bytes.indexOf('k8s\0')), message);
      assert.deepEqual([read.apiVersion, read.kind], ['meta.k8s.io/v1', kind]);
      const items = read.object['items'] as JsonObject[] | undefined; // Written from a list of them.
      const { metadata } = (items?.[0] ?? read.object) as JsonObject as { metadata: JsonObject };
      assert.deepEqual([metadata['name'], metadata['uid'] !== undefined], ['a', true]);
      assert.equal(bytes.includes('secret'), false);
    }
  }
  const whole = await server.call('GET', `${widgetsPath}?watch=1&timeoutSeconds=1`, {
    headers: { Accept: binary },
  });
  assert.equal(whole.code, 406);
});

test('an unsupported form of a watch is refused', async () => {
  const { maps } = await fresh();
  const refused: [string, number, string][] = [
    ['resourceVersion=abc', 400, 'BadRequest'],
    ['resourceVersionMatch=Exact&resourceVersion=1', 422, 'Invalid'],
    ['labelSelector=a%20in%20(', 400, 'BadRequest'],
    ['fieldSelector=foo%3Dbar', 400, 'BadRequest'],
    ['timeoutSeconds=abc', 400, 'BadRequest'],
  ];
  for (const [query, code, reason] of refused) {
    const answer = await server.call('GET', `${maps}?watch=1&${query}`);
    assert.deepEqual([answer.code, answer.json.reason], [code, reason], query);
  }
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  const socket = await server.call('GET', `${maps}?watch=1`, { headers: upgrade });
  assert.equal(socket.code, 400);
});

test('the older path supports GET only', async () => {
  const { maps, version } = await fresh();
  const legacy = maps.replace('/api/v1/', '/api/v1/watch/');
  await put(maps, 'a', { k: '1' });
  for (const [method, path] of [
    ['POST', legacy],
    ['DELETE', legacy],
    ['PUT', `${legacy}/a`],
    ['PATCH', `${legacy}/a`],
    ['DELETE', `${legacy}/a`],
    ['HEAD', legacy],
    ['OPTIONS', legacy],
  ] as const) {
    const body = method === 'POST' || method === 'PUT' ? { body: { metadata: { name: 'a' } } } : {};
    assert.equal((await server.call(method, path, body)).code, 405, `${method} ${path}`);
  }
  const { items } = (await server.call('GET', `${maps}?resourceVersion=${version}`)).json;
  assert.deepEqual(items.map(item => item.data?.['k']).filter(Boolean), ['1']);
});

test('only the first event of a Table watch has columns', async () => {
  const { maps, version } = await fresh();
  const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' };
  const path = `${maps}?watch=1&resourceVersion=${version}&allowWatchBookmarks=true`;
  using early = await server.watch(path, { headers });
  await put(maps, 'a', { k: '1' });
  await heard(early, 1);
  using late = await server.watch(path, { headers });
  await put(maps, 'a', { k: '2' });
  await heard(early, 2);
  await heard(late, 2);
  for (const { events } of [early, late]) {
    const columns = events.map(event => event.object.columnDefinitions?.map(({ name }) => name) ?? null);
    assert.deepEqual(columns.slice(0, 2), [['Name', 'Data', 'Age'], null]);
    assert.deepEqual(
      events.slice(0, 2).map(event => event.object.rows[0]?.cells[0]),
      ['a', 'a'],
    );
  }
});

test('watches of one object, one namespace and all namespaces have the same order', async () => {
  const { maps, version } = await fresh();
  const from = `watch=1&resourceVersion=${version}`;
  using one = await server.watch(`${maps}?${from}&fieldSelector=metadata.name%3Da`);
  using namespaced = await server.watch(`${maps}?${from}`);
  using everywhere = await server.watch(`/api/v1/configmaps?${from}`);
  for (let i = 0; i < 30; i++) await put(maps, 'a', { k: String(i) });
  const streams = [one, namespaced, everywhere];
  await until('all hear all', () =>
    streams.every(s => s.events.filter(e => e.object.metadata.name === 'a').length >= 30),
  );
  const versions = streams.map(stream =>
    stream.events.filter(e => e.object.metadata.name === 'a').map(e => e.object.metadata.resourceVersion),
  );
  assert.deepEqual(versions[1], versions[0]);
  assert.deepEqual(versions[2], versions[0]);
});

test('a graceful stop ends watches with a bookmark', async () => {
  await using own = await startApiServer();
  await own.namespace('t');
  const path = '/api/v1/namespaces/t/configmaps?watch=1&allowWatchBookmarks=true';
  using stream = await own.watch(path);
  await own.call('POST', '/api/v1/namespaces/t/configmaps', { body: { metadata: { name: 'a' } } });
  await until('the object is heard', () => stream.events.some(event => event.object.metadata.name === 'a'));
  await own.stop();
  await stream.ended;
  assert.equal(stream.events.at(-1)?.type, 'BOOKMARK');
});

test('a client that does not read is cut off, without effect on others', async () => {
  await using own = await startApiServer({ watchBufferBytes: 128 * 1024 });
  await own.namespace('t');
  const path = '/api/v1/namespaces/t/configmaps';
  const { hostname, port } = new URL(own.url);
  const lazy = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  let isCutOff = false;
  lazy.on('close', () => {
    isCutOff = true;
  });
  lazy.on('error', () => {});
  await once(lazy, 'secureConnect');
  lazy.write(`GET ${path}?watch=1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer admintoken\r\n\r\n`);
  lazy.resume();
  const metrics = async () => (await own.call('GET', '/metrics')).text;
  let written = 0;
  const write = (value: string) =>
    own.call('POST', path, { body: { metadata: { name: `m${written++}` }, data: { value } } });
  // A watch that catches up may take its time; one that has caught up may not.
  await until('the lazy client follows', async () => {
    await write('small');
    return /^apiserver_watch_events_total\{.*kind="ConfigMap".*\} [1-9]/m.test(await metrics());
  });
  lazy.pause();
  using keen = await own.watch(`${path}?watch=1`);
  const value = 'x'.repeat(200_000);
  // The system's buffers between the two hold an unknown amount: megabytes.
  let isTold = false;
  for (let writes = 0; !isTold && writes < 400; writes++) {
    await write(value);
    if (writes % 8 === 7)
      isTold = /^apiserver_terminated_watchers_total\{resource="configmaps"\} 1$/m.test(await metrics());
  }
  assert.ok(isTold);
  lazy.resume();
  await until('the connection is closed', () => isCutOff);
  const heardNames = () => new Set(keen.events.map(event => event.object.metadata.name));
  await until('the keen client hears all', () =>
    Array.from({ length: written }, (_, i) => `m${i}`).every(name => heardNames().has(name)),
  );
});

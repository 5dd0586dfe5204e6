import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, type Document, until, type WatchStream } from './api-server.ts';
import type { HostConverter } from './conversion-hosts.ts';
import { type ConversionSetup, startConversions } from './conversion-setup.ts';

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;

before(async () => {
  setup = await startConversions();
  ({ server, converter } = setup);
});

after(() => setup[Symbol.asyncDispose]());

function shown({ type, object }: Document): string {
  const { spec } = object as unknown as { spec: { host?: string; hostPort?: string } };
  return `${type} ${object.metadata.name} ${spec.host ?? spec.hostPort}`;
}

async function untilEvents(stream: WatchStream, count: number): Promise<string[]> {
  await until(`${count} events`, () => stream.events.length >= count);
  return stream.events.map(shown);
}

test('watches get every change in their version in order', async () => {
  const { group, path, create } = await setup.hosts('order');
  await create('v1', 'a', { hostPort: 'a.com:1' });
  const start = (await server.call('GET', path('v2'))).json.metadata.resourceVersion;
  using fromStart = await server.watch(`${path('v2')}?watch=true`);
  using after = await server.watch(`${path('v2')}?watch=true&resourceVersion=${start}`);
  using stored = await server.watch(`${path('v1')}?watch=true&resourceVersion=${start}`);
  await create('v1', 'b', { hostPort: 'b.com:1' });
  await create('v2', 'c', { host: 'c.com', port: '1' });
  await server.call('DELETE', path('v1', 'b'));
  await server.call('PATCH', path('v2', 'a'), {
    body: { spec: { host: 'z.com' } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  const changes = ['ADDED b b.com', 'ADDED c c.com', 'DELETED b b.com', 'MODIFIED a z.com'];
  assert.deepEqual(await untilEvents(after, 4), changes);
  assert.deepEqual(await untilEvents(fromStart, 5), ['ADDED a a.com', ...changes]);
  assert.deepEqual(
    await untilEvents(stored, 4),
    changes.map(change => `${change}:1`),
  );
  for (const { object } of after.events) assert.equal(object.apiVersion, `${group}/v2`);
  for (const { object } of stored.events) assert.equal(object.apiVersion, `${group}/v1`);
  assert.deepEqual(
    after.events.map(event => event.object.metadata.resourceVersion),
    stored.events.map(event => event.object.metadata.resourceVersion),
  );
});

test('watches share conversions, and continue in batches behind a slow webhook', async () => {
  const { path, create } = await setup.hosts('shared');
  const start = (await server.call('GET', path('v1'))).json.metadata.resourceVersion;
  const query = `${path('v2')}?watch=true&resourceVersion=${start}`;
  using first = await server.watch(query);
  using second = await server.watch(query);
  using table = await server.watch(query, {
    headers: { Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  });
  await create('v1', 'before', { hostPort: 'before.com:1' });
  for (const stream of [first, second, table])
    await until('the watch runs', () => stream.events.length === 1);
  converter.server.calls.length = 0;
  const held = converter.hold();
  await create('v1', 'a', { hostPort: 'a.com:1' });
  await until('the webhook is asked', () => held.arrived() === 1);
  for (const name of ['b', 'c', 'd']) await create('v1', name, { hostPort: `${name}.com:1` });
  await until('the cache has all of them', async () => {
    const { json } = await server.call('GET', `${path('v1')}?resourceVersion=0`);
    return json.items.length === 5;
  });
  assert.equal(first.events.length, 1);
  held.release();
  const expected = ['before', 'a', 'b', 'c', 'd'].map(name => `ADDED ${name} ${name}.com`);
  assert.deepEqual(await untilEvents(first, 5), expected);
  assert.deepEqual(await untilEvents(second, 5), expected);
  await until('the table watch has its rows', () => table.events.length === 5);
  assert.deepEqual(
    table.events.map(event => event.object.rows[0]?.cells),
    ['before', 'a', 'b', 'c', 'd'].map(name => [name, `${name}.com`]),
  );
  const asked = converter.conversions();
  assert.deepEqual(
    asked.flat().sort(),
    ['a', 'b', 'c', 'd'].map(name => `${name} v1->v2`),
  );
  assert.deepEqual(asked[0], ['a v1->v2']);
});

test('a failed conversion ends the watch with the reason, and the watch can resume', async () => {
  const { path, create } = await setup.hosts('fails');
  await create('v1', 'a', { hostPort: 'a.com:1' });
  const list = (await server.call('GET', path('v2'))).json;
  const query = `${path('v2')}?watch=true&resourceVersion=${list.metadata.resourceVersion}`;
  using stream = await server.watch(query);
  using stored = await server.watch(
    `${path('v1')}?watch=true&resourceVersion=${list.metadata.resourceVersion}`,
  );
  converter.answering = () => ({ result: { status: 'Failure', message: 'out of order' } });
  await create('v1', 'b', { hostPort: 'b.com:1' });
  await stream.ended;
  const [event] = stream.events;
  assert.equal(stream.events.length, 1);
  assert.equal(event?.type, 'ERROR');
  assert.equal(event?.object.kind, 'Status');
  assert.equal(event?.object.code, 500);
  assert.match(event?.object.message ?? '', /out of order/);
  assert.deepEqual(await untilEvents(stored, 1), ['ADDED b b.com:1']);
  using initial = await server.watch(`${path('v2')}?watch=true`);
  await initial.ended;
  assert.deepEqual(
    initial.events.map(({ type }) => type),
    ['ERROR'],
  );
  converter.answering = 'well';
  using repeated = await server.watch(query);
  assert.deepEqual(await untilEvents(repeated, 1), ['ADDED b b.com']);
});

test('a bookmark follows initial events that had to be converted', async () => {
  const { group, path, create } = await setup.hosts('bookmarks');
  for (const name of ['a', 'b']) await create('v1', name, { hostPort: `${name}.com:1` });
  using stream = await server.watch(
    `${path('v2')}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
  );
  await until('the bookmark', () => stream.events.length === 3);
  assert.deepEqual(
    stream.events.map(({ type }) => type),
    ['ADDED', 'ADDED', 'BOOKMARK'],
  );
  assert.equal(stream.events[2]?.object.apiVersion, `${group}/v2`);
});

test('selectors of a watch apply to the requested version', async () => {
  const { path, host } = await setup.hosts('selectors');
  const start = (await server.call('GET', path('v1'))).json.metadata.resourceVersion;
  using stream = await server.watch(
    `${path('v2')}?watch=true&resourceVersion=${start}&labelSelector=app%3Dweb`,
  );
  for (const [name, app] of [
    ['a', 'db'],
    ['b', 'web'],
  ] as const) {
    const body = { ...host('v1', name, { hostPort: `${name}.com:1` }), metadata: { name, labels: { app } } };
    assert.equal((await server.call('POST', path('v1'), { body })).code, 201);
  }
  assert.deepEqual(await untilEvents(stream, 1), ['ADDED b b.com']);
});

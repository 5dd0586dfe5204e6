import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

const checks = [
  'ping',
  'etcd',
  'informer-sync',
  'poststarthook/bootstrap-objects',
  'poststarthook/rbac/bootstrap-roles',
];

suite('health', () => {
  let server: ApiServer;
  before(async () => {
    server = await shareApiServer();
  });
  after(() => server?.[Symbol.asyncDispose]());
  const get = (path: string) => server.call('GET', path);

  for (const endpoint of ['healthz', 'livez', 'readyz']) {
    test(`/${endpoint} is one word of plain text for every client`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const { code, headers, text } = await server.call(method, `/${endpoint}`, { token: null });
        assert.deepEqual([code, text], [200, method === 'GET' ? 'ok' : '']);
        assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
    });

    test(`single checks below /${endpoint} need a permission`, async () => {
      assert.equal((await server.call('GET', `/${endpoint}/ping`, { token: null })).code, 403);
    });
  }

  test('the checks have the names that monitoring uses', async () => {
    const names = (text: string) => [...text.matchAll(/^\[\+\](\S+) ok$/gm)].map(match => match[1]);
    const ready = names((await get('/readyz?verbose')).text);
    for (const name of [...checks, 'shutdown']) assert.ok(ready.includes(name), name);
    const old = names((await get('/healthz?verbose')).text);
    for (const name of checks) assert.ok(old.includes(name), name);
    assert.ok(names((await get('/livez?verbose')).text).includes('ping'));
    assert.equal((await get('/livez/etcd')).code, 200);
  });

  test('an unknown check is answered with 404', async () => {
    for (const path of [
      '/readyz/nope',
      '/livez/nope',
      '/healthz/nope',
      '/livez/shutdown',
      '/readyz/etcd/more',
    ]) {
      const { code, text } = await get(path);
      assert.deepEqual([code, text], [404, '404 page not found\n'], path);
    }
  });
});

test('a stopping server is not ready first, continues to serve for a while, and ends its watches', async () => {
  await using server = await startApiServer({
    shutdownDelayDuration: 4_000,
    authorizationMode: ['AlwaysAllow'],
  });
  await server.namespace('t');
  const path = '/api/v1/namespaces/t/configmaps';
  using watch = await server.watch(`${path}?watch=1&allowWatchBookmarks=true`);
  const stopped = server.stop();
  await until('it is not ready', async () => (await server.call('GET', '/readyz')).code === 500);
  const { text } = await server.call('GET', '/readyz');
  assert.match(text, /^\[-\]shutdown failed: reason withheld$/m);
  assert.match(text, /readyz check failed\n$/);
  const one = await server.call('GET', '/readyz/shutdown');
  assert.equal(one.code, 500);
  assert.equal((await server.call('GET', '/livez')).code, 200);
  // Requests go on, and so do watches.
  const created = await server.call('POST', path, { body: { metadata: { name: 'late' } } });
  assert.equal(created.code, 201);
  await until('the event', () => watch.events.some(({ object }) => object.metadata.name === 'late'));
  await watch.ended;
  assert.equal(watch.events.at(-1)?.type, 'BOOKMARK');
  assert.ok(
    Number(watch.events.at(-1)?.object.metadata.resourceVersion) >=
      Number(created.json.metadata.resourceVersion),
  );
  await stopped;
  await assert.rejects(server.call('GET', '/livez'));
});

import assert from 'node:assert/strict';
import { until } from '../journeys/api-server.ts';
import { assertRefused, freshCollection } from './drivers/collections.ts';
import type { Answer, ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';
import { findSample } from './drivers/metrics-text.ts';
import { withOtherSwitches } from './drivers/variants.ts';
import { startUnfinishedGateway } from './health/unfinished-gateway.ts';

const endpoints = ['healthz', 'livez', 'readyz'] as const;

/** The names of the checks of an answer with `verbose`, in their order. */
function checksIn(text: string): string[] {
  return text.split('\n').flatMap(line => /^\[\+\](.+) ok$/.exec(line)?.[1] ?? []);
}

/** Checks that an endpoint says that all is well, to people and to machines, with or without credentials. */
async function assertHealthy(server: ConformanceServer, path: string): Promise<void> {
  for (const gateway of server.gateways.keys()) {
    for (const user of ['admin', 'bob', null] as const) {
      const { text, headers } = await server.expect(200, 'GET', path, { user, gateway });
      assert.equal(text, 'ok');
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache, private');
    }
  }
}

/** The answer of a gateway, or undefined when it no longer takes connections. */
function tryGet(server: ConformanceServer, path: string): Promise<Answer | undefined> {
  // HTTP/2 forbids the header; there the driver opens another connection when it is told to.
  const headers = server.protocol === 'http/1.1' ? { Connection: 'close' } : {};
  return server.request('GET', path, { gateway: 0, headers }).catch(() => undefined);
}

/** 1, "Health endpoints". */
export const healthTests: ConformanceTests = {
  '1/Health endpoints/healthz it answers as before': server => assertHealthy(server, '/healthz'),

  '1/Health endpoints/livez a server that runs is alive': server => assertHealthy(server, '/livez'),

  '1/Health endpoints/readyz a server that has started is ready': server => assertHealthy(server, '/readyz'),

  async '1/Health endpoints/single checks each is answered below livez and readyz'(server) {
    for (const endpoint of ['livez', 'readyz']) {
      for (const check of ['ping', 'etcd'])
        assert.equal((await server.expect(200, 'GET', `/${endpoint}/${check}`)).text, 'ok');
      const missing = await server.expect(404, 'GET', `/${endpoint}/no-such-check`);
      assert.equal(missing.text, '404 page not found\n');
    }
  },

  async '1/Health endpoints/single checks one that fails fails alone'() {
    await using gateway = await startUnfinishedGateway(
      '--authorization-mode=AlwaysAllow',
      '--anonymous-auth',
    );
    assert.equal((await gateway.get('/readyz/ping')).code, 200);
    const failing = await gateway.get('/readyz/etcd');
    assert.deepEqual([failing.code, /ok/.test(failing.text)], [500, false]);
  },

  async '1/Health endpoints/status a server whose start goes on is alive, not ready and not healthy'() {
    await using gateway = await startUnfinishedGateway();
    assert.deepEqual(await gateway.get('/livez'), { code: 200, text: 'ok' });
    const { code, text } = await gateway.get('/readyz');
    assert.equal(code, 500);
    const lines = text.split('\n');
    assert.ok(lines.includes('[+]ping ok'), text);
    assert.ok(lines.includes('[-]etcd failed: reason withheld'), text);
    assert.ok(lines.includes('readyz check failed'), text);
    assert.equal((await gateway.get('/healthz')).code, 500);
  },

  async '1/Health endpoints/verbose there is a line for each check, and one for all'(server) {
    const { text } = await server.expect(200, 'GET', '/healthz?verbose');
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(-2), ['healthz check passed', ''], text);
    for (const line of lines.slice(0, -2)) assert.match(line, /^\[\+\]\S+ ok$/);
    assert.ok(lines.includes('[+]ping ok') && lines.includes('[+]etcd ok'), text);
  },

  async '1/Health endpoints/verbose liveness and readiness have their own checks, and the line at the end'(
    server,
  ) {
    for (const endpoint of endpoints) {
      const { text } = await server.expect(200, 'GET', `/${endpoint}?verbose`);
      assert.ok(text.includes('[+]ping ok\n'), text);
      assert.ok(text.endsWith('\nhealthz check passed\n'), text);
    }
    const { text } = await server.expect(200, 'GET', '/readyz?verbose');
    assert.ok(checksIn(text).includes('shutdown') && checksIn(text).includes('informer-sync'), text);
  },

  async '1/Health endpoints/exclude a check that is skipped does not count'(server) {
    await using gateway = await startUnfinishedGateway();
    const failing = (await gateway.get('/readyz')).text
      .split('\n')
      .flatMap(line => /^\[-\](.+) failed/.exec(line)?.[1] ?? []);
    assert.ok(failing.includes('etcd'));
    const all = failing.map(check => `exclude=${check}`).join('&');
    assert.deepEqual(await gateway.get(`/readyz?${all}`), { code: 200, text: 'ok' });
    const some = failing.slice(1).map(check => `exclude=${check}`);
    assert.equal((await gateway.get(`/readyz?${some.join('&')}`)).code, 500);
    assert.equal((await server.expect(200, 'GET', '/readyz?exclude=no-such-check')).text, 'ok');
  },

  async '1/Health endpoints/combined the skipped check is shown as excluded'(server) {
    for (const query of ['verbose&exclude=etcd', 'exclude=etcd&verbose']) {
      const { text } = await server.expect(200, 'GET', `/readyz?${query}`);
      assert.ok(text.includes('[+]etcd excluded: ok\n'), text);
      assert.ok(!text.includes('[+]etcd ok'), text);
      assert.ok(text.includes('[+]ping ok\n'), text);
    }
    const { text } = await server.expect(200, 'GET', '/livez?verbose&exclude=ping&exclude=etcd');
    assert.ok(text.includes('[+]ping excluded: ok\n'), text);
  },

  async '1/Health endpoints/check names every name of the verbose answer is that of a check'(server) {
    for (const endpoint of endpoints) {
      const { text } = await server.expect(200, 'GET', `/${endpoint}?verbose`);
      const names = checksIn(text);
      assert.ok(names.length > 0);
      for (const name of names) {
        assert.equal((await server.expect(200, 'GET', `/${endpoint}/${name}`)).text, 'ok');
        const without = await server.expect(200, 'GET', `/${endpoint}?verbose&exclude=${name}`);
        assert.ok(without.text.includes(`[+]${name} excluded: ok\n`), without.text);
      }
    }
  },

  async '1/Health endpoints/--livez-grace-period a start that is done is no longer measured'(server) {
    const variant = await withOtherSwitches(server);
    const { text } = await variant.expect(200, 'GET', '/livez?verbose');
    assert.ok(text.endsWith('healthz check passed\n'), text);
  },

  async '1/Health endpoints/--shutdown-delay-duration a stopping server is not ready, alive and serves'(
    server,
  ) {
    const variant = await server.variant({ 'shutdown-delay-duration': '5s' }, { ofProcesses: true });
    const connectionHeader = async () =>
      (await variant.request('GET', '/livez', { gateway: 0 })).headers['connection'];
    assert.equal((await tryGet(variant, '/readyz'))?.code, 200);
    const isOlder = variant.protocol === 'http/1.1';
    assert.equal(await connectionHeader(), isOlder ? 'keep-alive' : undefined);
    variant.signal(0, 'SIGTERM');
    await until('readyz to refuse', async () => (await tryGet(variant, '/readyz'))?.code === 500);
    const refusal = await tryGet(variant, '/readyz?verbose');
    assert.match(refusal?.text ?? '', /^\[-\]shutdown failed/m);
    assert.equal((await tryGet(variant, '/livez'))?.code, 200);
    const list = await tryGet(variant, '/api/v1/namespaces');
    assert.equal(list?.at('kind'), 'NamespaceList');
    // Clients are told to take other connections before theirs are closed.
    if (isOlder)
      await until('answers to be the last of their connections', async () => {
        return (await connectionHeader()) === 'close';
      });
    assert.equal((await tryGet(variant, '/livez'))?.code, 200);
    await until('the server to be gone', async () => (await tryGet(variant, '/livez')) === undefined);
  },

  async '1/Health endpoints/metrics they are text for scrapers, and count what is asked'(server) {
    const collection = await freshCollection(server);
    const listed = {
      verb: 'LIST',
      group: '',
      version: 'v1',
      resource: 'secrets',
      subresource: '',
      scope: 'namespace',
      code: '200',
    };
    const scrape = () => server.expect(200, 'GET', '/metrics', { gateway: 0 });
    const countedIn = ({ text }: { readonly text: string }) =>
      findSample(text, 'apiserver_request_total', listed) ?? 0;
    await server.expect(200, 'GET', collection, { gateway: 0 });
    const before = await scrape();
    assert.match(String(before.headers['content-type']), /^text\/plain; version=0\.0\.4/);
    await server.expect(200, 'GET', collection, { gateway: 0 });
    // A request is counted when its answer has gone out, which the client may see first.
    await until('the second list to be counted', async () => countedIn(await scrape()) > countedIn(before));
  },

  async '1/Health endpoints/metrics those that monitoring knows of a gateway are all there'(server) {
    const { text } = await server.expect(200, 'GET', '/metrics');
    const names = [
      'apiserver_request_total',
      'apiserver_request_duration_seconds',
      'apiserver_current_inflight_requests',
      'apiserver_longrunning_requests',
      'apiserver_response_sizes',
      'apiserver_watch_events_total',
      'apiserver_storage_objects',
      'apiserver_requested_deprecated_apis',
      'authenticated_user_requests',
      'authentication_attempts',
    ];
    for (const name of names) assert.ok(text.includes(`\n# TYPE ${name} `), name);
  },

  async '1/Health endpoints/metrics not everybody may read them'(server) {
    assertRefused(await server.request('GET', '/metrics', { user: 'bob' }), 403, 'Forbidden');
  },
};

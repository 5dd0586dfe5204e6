import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { after, before, suite, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';

/** A write whose body does not come until it is finished. */
interface HeldWrite extends Disposable {
  readonly code: Promise<number>;
  readonly settled: () => boolean;
  finish(): void;
}

/** Begins writes with the credentials of a user. */
async function holdingWrites(server: ApiServer): Promise<(name: string, query?: string) => HeldWrite> {
  const ca = await readFile(server.pki.caFile);
  return (name, query = '') => {
    const body = JSON.stringify({ metadata: { name } });
    let sent: ClientRequest | undefined;
    let isSettled = false;
    const code = new Promise<number>((resolve, reject) => {
      sent = request(server.url + configMaps + query, {
        method: 'POST',
        ca,
        agent: false,
        headers: {
          Authorization: 'Bearer alicetoken',
          'Content-Type': 'application/json',
          'Content-Length': body.length,
        },
      });
      sent.on('response', response => {
        isSettled = true;
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.write(body.slice(0, 5));
    });
    code.catch(() => {});
    return {
      code,
      settled: () => isSettled,
      finish: () => sent?.end(body.slice(5)),
      [Symbol.dispose]: () => void sent?.destroy(),
    };
  };
}

suite('too many requests, without priority and fairness', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer({
      authorizationMode: ['AlwaysAllow'],
      enablePriorityAndFairness: false,
      maxMutatingRequestsInflight: 1,
    });
    await server.namespace('t');
  });
  after(() => server?.[Symbol.asyncDispose]());
  const write = (name: string, token = 'bobtoken') =>
    server.call('POST', configMaps, { token, body: { metadata: { name } } });

  test('writes beyond the limit get 429, and other requests are served', async () => {
    const hold = await holdingWrites(server);
    let held = hold('held');
    let count = 0;
    let refused = await write(`probe-${count}`);
    let refusals = 0;
    await until('a write holds the only place', async () => {
      // A controller may have been faster, but does not take as long.
      if (held.settled()) held = hold('held');
      refused = await write(`probe-${++count}`);
      refusals = refused.code === 429 && !held.settled() ? refusals + 1 : 0;
      return refusals === 5;
    });
    using _ = held;
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.json.reason, 'TooManyRequests');
    assert.equal(refused.json.details.retryAfterSeconds, 1);
    assert.equal((await server.call('GET', configMaps, { token: 'bobtoken' })).code, 200);
    assert.equal((await write('of-a-master', 'admintoken')).code, 201);
    for (const path of ['/healthz', '/livez', '/readyz', '/metrics'])
      assert.equal((await server.call('GET', path, { token: 'bobtoken' })).code, 200, path);
    using watch = await server.watch(`${configMaps}?watch=1`, { token: 'bobtoken' });
    assert.equal(watch.code, 200);
    held.finish();
    assert.equal(await held.code, 201);
    await until('there is a place again', async () => (await write(`probe-${++count}`)).code === 201);
    const { text } = await server.call('GET', '/metrics');
    assert.match(text, /^apiserver_dropped_requests_total\{request_kind="mutating"\} [1-9]/m);
    assert.match(
      text,
      /^apiserver_request_terminations_total\{code="429",.*resource="configmaps".*\} [1-9]/m,
    );
  });
});

suite('long requests', () => {
  test('end at their timeout, or at the timeout of the server', async () => {
    await using server = await startApiServer({ authorizationMode: ['AlwaysAllow'], requestTimeout: 2_000 });
    // The server gives these requests no more time either, which a slow machine may need.
    await until('the namespace is there', async () => {
      await server.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 't' } } });
      return (await server.call('GET', configMaps)).code === 200;
    });
    const hold = await holdingWrites(server);
    for (const query of ['?timeout=50ms', '?timeout=1h', '']) {
      using held = hold('late', query);
      assert.equal(await held.code, 504, query);
    }
    for (const timeout of ['foo', '-1s', '5']) {
      const { code, json } = await server.call('GET', `${configMaps}?timeout=${timeout}`);
      assert.deepEqual([code, json.reason], [400, 'BadRequest'], timeout);
    }
    await until('a request has an answer', async () => {
      return (await server.call('GET', `${configMaps}?timeout=10s`)).code === 200;
    });
    const { text } = await server.call('GET', '/metrics');
    assert.match(text, /^apiserver_request_terminations_total\{code="504",.*verb="POST".*\} 3$/m);
  });
});

suite('large requests', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
    await server.namespace('t');
  });
  after(() => server?.[Symbol.asyncDispose]());

  test('get a Status if headers or URL are too large', async () => {
    const large = 'x'.repeat(70_000);
    const answers = [
      await server.call('GET', configMaps, { headers: { 'X-Large': large } }),
      await server.call('GET', `${configMaps}?labelSelector=${large}`),
    ];
    for (const { code, json } of answers)
      assert.deepEqual([code, json.kind, json.code], [431, 'Status', 431]);
    assert.equal((await server.call('GET', configMaps)).code, 200);
  });

  test('are accepted with long selectors below the limit', async () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `name-${i}`).join(',');
    const { code } = await server.call(
      'GET',
      `${configMaps}?labelSelector=${encodeURIComponent(`a in (${names})`)}`,
    );
    assert.equal(code, 200);
  });

  test('are refused with a too large body, and the connection can be reused', async () => {
    const body = { metadata: { name: 'large' }, data: { k: 'x'.repeat(4 * 1024 * 1024) } };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const refused = await server.call('POST', configMaps, { body, agent });
    assert.deepEqual([refused.code, refused.json.reason], [413, 'RequestEntityTooLarge']);
    const next = await server.call('GET', configMaps, { agent });
    agent.destroy();
    assert.deepEqual([next.code, next.connection], [200, refused.connection]);
  });
});

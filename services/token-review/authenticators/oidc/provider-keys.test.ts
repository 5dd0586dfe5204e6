import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { createMetrics, type Logger, silentLogger } from '@binnacle/telemetry';
import { createOidcMetrics } from './oidc-metrics.ts';
import { ProviderKeys } from './provider-keys.ts';
import {
  createJwk,
  createTestKey,
  documentListener,
  issuerDocuments,
  type LoopbackServer,
  startLoopbackServer,
} from './test-drivers/test-issuer.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };
const [first, second] = [createTestKey('first'), createTestKey('second')];
let server: LoopbackServer;
let other: LoopbackServer;

before(async () => {
  [server, other] = await Promise.all([startLoopbackServer(), startLoopbackServer()]);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
beforeEach(() => server.serve(documentListener(issuerDocuments(server.url, [createJwk(first)]))));

/** A pause of the background, which ends when the test says so. */
interface Pause {
  readonly milliseconds: number;
  end(): void;
}

function createKeys(
  issuer = server.url,
  { ca = server.ca, log = silentLogger, timeout = (_: number) => call.signal } = {},
) {
  const metrics = createMetrics({ process: false });
  const pauses: Pause[] = [];
  const waiting: ((pause: Pause) => void)[] = [];
  const state = { now: 0 };
  const keys = new ProviderKeys({
    settings: { issuer, ca, algorithms: ['RS256'] },
    metrics: createOidcMetrics(metrics),
    log,
    clock: () => 5000,
    now: () => state.now,
    random: () => 0,
    timeout,
    pause(milliseconds, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (signal.aborted) return Promise.resolve();
      signal.addEventListener('abort', () => resolve());
      const pause = { milliseconds, end: resolve };
      const next = waiting.shift();
      if (next) next(pause);
      else pauses.push(pause);
      return promise;
    },
  });
  /** The pause that the background is in, or goes into next. */
  const paused = async (): Promise<Pause> =>
    pauses.shift() ?? (await new Promise(resolve => waiting.push(resolve)));
  const ids = () => keys.keys?.map(({ id }) => id);
  return { keys, ids, paused, state, metrics, [Symbol.asyncDispose]: () => keys[Symbol.asyncDispose]() };
}

async function metricLines(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  const { body } = await metrics.render();
  return body.split('\n').filter(line => line.startsWith('binnacle_oidc_'));
}

test('keys are fetched at the start and every hour, and removed keys are dropped', async () => {
  await using provider = createKeys();
  assert.equal(provider.ids(), undefined);
  const pause = await provider.paused();
  assert.deepEqual([pause.milliseconds, provider.ids()], [3600_000, ['first']]);
  server.serve(documentListener(issuerDocuments(server.url, [createJwk(second)])));
  pause.end();
  await provider.paused();
  assert.deepEqual(provider.ids(), ['second']);
  assert.deepEqual(await metricLines(provider.metrics), [
    'binnacle_oidc_key_fetches_total{outcome="success"} 2',
    'binnacle_oidc_key_fetches_total{outcome="failure"} 0',
    'binnacle_oidc_last_key_fetch_success_timestamp_seconds 5',
    'binnacle_oidc_signing_keys 1',
    'binnacle_oidc_undecided_tokens_total 0',
  ]);
});

test('retries have growing pauses, and known keys are kept while the provider is down', async () => {
  const lines: string[] = [];
  const note = (message: string): void => void lines.push(message);
  const log: Logger = { ...silentLogger, info: note, warn: note };
  await using provider = createKeys(server.url, { log });
  const hour = await provider.paused();
  await server.down();
  hour.end();
  const waits: number[] = [];
  for (let retry = 0; retry < 8; retry++) {
    const pause = await provider.paused();
    waits.push(pause.milliseconds);
    if (retry === 7) await server.up();
    pause.end();
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  assert.deepEqual(provider.ids(), ['first']);
  assert.equal((await provider.paused()).milliseconds, 3600_000);
  assert.deepEqual(lines, [
    'cannot fetch the signing keys of the OpenID provider, retrying',
    'the signing keys of the OpenID provider are fetched',
  ]);
});

test('tokens cause one fetch at a time, at most every ten seconds', async () => {
  const asked: string[] = [];
  const listener = documentListener(issuerDocuments(server.url, [createJwk(first)]), asked);
  server.serve(listener);
  await using provider = createKeys();
  await provider.paused();
  const ask = async () => {
    asked.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => provider.keys.refresh(call)));
    return [new Set(answers), asked.length];
  };
  provider.state.now = 9_999;
  assert.deepEqual(await ask(), [new Set([true]), 0]);
  provider.state.now = 10_000;
  assert.deepEqual(await ask(), [new Set([true]), 2]);
  assert.deepEqual(await ask(), [new Set([true]), 0]);
  provider.state.now = 20_000;
  server.serve((_, response) => void response.writeHead(500).end());
  assert.deepEqual(await ask(), [new Set([false]), 0]);
  server.serve(listener);
  assert.deepEqual(await ask(), [new Set([false]), 0]);
  provider.state.now = 30_000;
  assert.deepEqual(await ask(), [new Set([true]), 2]);
});

test('a wait for keys ends with its call', async () => {
  const held = Promise.withResolvers<void>();
  server.serve(() => held.resolve());
  await using provider = createKeys();
  await held.promise;
  assert.equal(await provider.keys.refresh({ ...call, signal: AbortSignal.abort() }), false);
});

test('a fetch fails if both documents have not arrived in five seconds', async () => {
  const held = Promise.withResolvers<void>();
  const deadline = new AbortController();
  const timeouts: number[] = [];
  server.serve((_, response) => {
    response.writeHead(200).write('{');
    held.resolve();
  });
  const timeout = (milliseconds: number): AbortSignal => {
    timeouts.push(milliseconds);
    return deadline.signal;
  };
  await using provider = createKeys(server.url, { timeout });
  await held.promise;
  deadline.abort();
  assert.equal((await provider.paused()).milliseconds, 1000);
  assert.deepEqual(timeouts, [5000]);
});

test('disposal aborts a fetch and prevents others', async () => {
  const held = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<unknown>();
  server.serve((request, response) => {
    held.resolve();
    closed.resolve(once(response, 'close'));
    request.resume();
  });
  const provider = createKeys();
  await held.promise;
  await provider.keys[Symbol.asyncDispose]();
  await closed.promise;
  provider.state.now = 60_000;
  assert.equal(await provider.keys.refresh(call), false);
});

test('a key set on another host and redirects within a host are followed', async () => {
  const documents = issuerDocuments(server.url, []);
  const moved = { issuer: server.url, jwks_uri: `${other.url}/keys` };
  const serveDocuments = documentListener({ ...documents, '/moved': moved });
  server.serve((request, response) => {
    if (request.url !== '/.well-known/openid-configuration') return serveDocuments(request, response);
    response.writeHead(302, { location: '/moved' }).end();
  });
  other.serve(documentListener({ '/keys': { keys: [createJwk(second)] } }));
  await using provider = createKeys(server.url, { ca: Buffer.concat([server.ca, other.ca]) });
  await provider.paused();
  assert.deepEqual(provider.ids(), ['second']);
});

test('an issuer with a path and a trailing slash is found', async () => {
  const issuer = `${server.url}/realm/`;
  server.serve(
    documentListener({
      '/realm/.well-known/openid-configuration': { issuer, jwks_uri: `${server.url}/keys` },
      '/keys': { keys: [createJwk(first)] },
    }),
  );
  await using provider = createKeys(issuer);
  await provider.paused();
  assert.deepEqual(provider.ids(), ['first']);
});

const json = (text: object | string) => (): RequestListener =>
  documentListener({ '/.well-known/openid-configuration': text });
const badProviders: [title: string, listener: () => RequestListener, message: RegExp][] = [
  ['another issuer', json({ issuer: 'https://other.example' }), /names another issuer/],
  ['a list', json([]), /names another issuer/],
  ['no JSON', json('<html>'), /openid-configuration is not JSON/],
  ['more than 256 KiB', json(`"${'x'.repeat(256 * 1024)}"`), /is longer than 262144 bytes/],
  ['another status', () => documentListener({}), /answers with status 404/],
  [
    'a redirect to another host',
    () => (_, response) => void response.writeHead(302, { location: `${other.url}/x` }).end(),
    /redirects to https:\/\/localhost:\d+, which is not followed/,
  ],
  [
    'a redirect to plain HTTP',
    () => (_, response) => void response.writeHead(302, { location: 'http://localhost/x' }).end(),
    /redirects to http:\/\/localhost, which is not followed/,
  ],
  [
    'redirects without end',
    () => (_, response) => void response.writeHead(302, { location: '/x' }).end(),
    /redirects more than 3 times/,
  ],
  [
    'a key set over plain HTTP',
    () => json({ issuer: server.url, jwks_uri: 'http://localhost/keys' })(),
    /jwks_uri of the discovery document is not an https/,
  ],
  ['no key set', () => json({ issuer: server.url })(), /jwks_uri of the discovery document is not an https/],
  [
    'a key set that is none',
    () => documentListener({ ...issuerDocuments(server.url, []), '/keys': { keys: 'x' } }),
    /has no list of keys/,
  ],
  [
    'an answer that breaks off',
    () => (_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => response.destroy());
    },
    /openid-configuration broke off/,
  ],
  ['a connection that breaks', () => request => void request.socket.destroy(), /cannot be fetched/],
];
for (const [title, listener, message] of badProviders)
  test(`an invalid provider is refused with a log line: ${title}`, async () => {
    server.serve(listener());
    const errors: unknown[] = [];
    const log: Logger = { ...silentLogger, warn: (_, fields) => void errors.push(fields?.error) };
    await using provider = createKeys(server.url, { log });
    assert.equal((await provider.paused()).milliseconds, 1000);
    assert.equal(provider.ids(), undefined);
    assert.match(String(errors[0]), message);
  });

test('a provider with a certificate of another authority is refused', async () => {
  await using provider = createKeys(server.url, { ca: other.ca });
  await provider.paused();
  assert.equal(provider.ids(), undefined);
});

test('a key set without usable keys replaces an older one', async () => {
  await using provider = createKeys();
  const pause = await provider.paused();
  server.serve(documentListener(issuerDocuments(server.url, [])));
  pause.end();
  await provider.paused();
  assert.deepEqual(provider.ids(), []);
});

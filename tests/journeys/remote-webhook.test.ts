import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { type ClientConfiguration, createRemoteWebhook, RemoteWebhookError } from '@binnacle/client';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { findPort } from './setup/find-port.ts';

type Tls = Awaited<ReturnType<typeof loadTls>>;

let directory = '';
let server: Tls;
let client: Tls;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-webhook-'));
  const pki: Pki = await createPki(directory, { clients: [{ name: 'caller', commonName: 'caller' }] });
  server = await loadTls(pki.serverDirectory);
  client = await loadTls(pki.clientDirectory('caller'));
});
after(() => rm(directory, { recursive: true }));

/** A request to the webhook. */
interface Seen {
  readonly url: string;
  readonly caller: unknown;
  readonly authorization: string | undefined;
  readonly body: string;
  readonly port: number | undefined;
}

type Respond = (response: ServerResponse) => void;

const json =
  (value: unknown, status = 200): Respond =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const status = (code: number, headers: Record<string, string> = {}): Respond => {
  return response => response.writeHead(code, headers).end('secret of the server');
};
const hangUp: Respond = response => void response.socket?.destroy();
const silent: Respond = () => {};

/** A webhook over TLS that requires a client certificate, gives these answers in order and repeats the last one. */
async function startWebhook(...answers: Respond[]) {
  const seen: Seen[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = await request.toArray();
    const socket = request.socket as TLSSocket; // Of a server over TLS.
    seen.push({
      url: request.url ?? '',
      caller: socket.getPeerCertificate().subject?.CN,
      authorization: request.headers.authorization,
      body: Buffer.concat(parts).toString(),
      port: socket.remotePort,
    });
    answers[Math.min(seen.length, answers.length) - 1]?.(response);
  };
  const options = { cert: server.cert, key: server.key, ca: client.ca, requestCert: true };
  const listening = createServer({ ...options, rejectUnauthorized: true }, (request, response) => {
    void listener(request, response);
  });
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const port = findPort(listening);
  return {
    seen,
    url: `https://127.0.0.1:${port}/review?cluster=a%2Fb`,
    async [Symbol.asyncDispose](): Promise<void> {
      listening.closeAllConnections();
      listening.close();
    },
  };
}

function configurationFor(url: string): ClientConfiguration {
  return {
    servers: [url],
    certificateAuthority: server.ca,
    clientCertificate: client.cert,
    clientKey: client.key,
    token: 'token-of-the-caller',
  };
}

const open = (
  configuration: ClientConfiguration,
  options: Partial<Parameters<typeof createRemoteWebhook>[0]> = {},
) =>
  createRemoteWebhook({
    configuration,
    userAgent: 'test',
    timeoutMs: 20_000,
    retry: { attempts: 3, backoffMs: 1 },
    ...options,
  });

test('a body is posted to the path and query of the server with certificate and token', async () => {
  await using webhook = await startWebhook(json({ yes: true }));
  await using remote = open(configurationFor(webhook.url));
  assert.deepEqual(await remote.post({ ask: 'ü' }, {}), { yes: true });
  const { port, ...request } = webhook.seen[0] ?? {};
  assert.ok(port);
  assert.deepEqual(request, {
    url: '/review?cluster=a%2Fb',
    caller: 'caller',
    authorization: 'Bearer token-of-the-caller',
    body: '{"ask":"ü"}',
  });
});

test('consecutive calls share a connection, also after an error status', async () => {
  await using webhook = await startWebhook(json(1), status(503), json(2));
  await using remote = open(configurationFor(webhook.url));
  await remote.post({}, {});
  assert.equal(await remote.post({}, {}), 2);
  assert.equal(webhook.seen.length, 3);
  assert.equal(new Set(webhook.seen.map(({ port }) => port)).size, 1);
});

for (const [what, failure] of [
  ['500', status(500)],
  ['429', status(429)],
  ['a connection that breaks off', hangUp],
] as const)
  test(`${what} is retried`, async () => {
    await using webhook = await startWebhook(failure, failure, json('well'));
    await using remote = open(configurationFor(webhook.url));
    assert.equal(await remote.post({}, {}), 'well');
    assert.equal(webhook.seen.length, 3);
  });

const failures: readonly [string, Respond, number, Partial<RemoteWebhookError>, RegExp][] = [
  ['always 503', status(503), 3, { kind: 'status', status: 503 }, /answered with status 503/],
  [
    '503 and a megabyte, always',
    json('x'.repeat(2 ** 20), 503),
    3,
    { kind: 'status', status: 503 },
    /status 503/,
  ],
  ['403', status(403), 1, { kind: 'status', status: 403 }, /answered with status 403/],
  [
    'a redirect',
    status(307, { location: 'https://127.0.0.1:1/' }),
    1,
    { kind: 'status', status: 307 },
    /redirect with status 307 is not followed/,
  ],
  [
    '429 with a wait that is longer than the deadline',
    status(429, { 'retry-after': '20' }),
    1,
    { kind: 'status', status: 429 },
    /status 429/,
  ],
  ['text', response => response.end('secret'), 1, { kind: 'answer' }, /the answer is not JSON/],
  [
    'a megabyte and more',
    json('x'.repeat(1024 * 1024)),
    1,
    { kind: 'answer' },
    /the answer is larger than 1048576 bytes/,
  ],
  ['a broken connection, always', hangUp, 3, { kind: 'connection' }, /cannot be reached: ECONNRESET/],
];

for (const [what, respond, tries, expected, message] of failures)
  test(`a webhook that answers with ${what} fails after ${tries} attempts, with an error without secrets`, async () => {
    await using webhook = await startWebhook(respond);
    await using remote = open(configurationFor(webhook.url));
    const error = await awaitFailure(remote.post({}, {}));
    assert.equal(webhook.seen.length, tries);
    assert.deepEqual(
      { ...expected, kind: error.kind, status: error.status },
      { status: undefined, ...expected },
    );
    assert.match(error.message, message);
    assert.ok(error.message.startsWith(`webhook ${webhook.url.split('?')[0]}: `), error.message);
    assert.doesNotMatch(error.message, /secret|token|cluster=/);
  });

test('an answer of exactly one mebibyte is accepted', async () => {
  const text = 'x'.repeat(1024 * 1024 - 2);
  await using webhook = await startWebhook(json(text));
  await using remote = open(configurationFor(webhook.url));
  assert.equal(await remote.post({}, {}), text);
});

test('a webhook that does not answer fails at the deadline', async () => {
  await using webhook = await startWebhook(silent);
  await using remote = open(configurationFor(webhook.url), { timeoutMs: 200 });
  const error = await awaitFailure(remote.post({}, {}));
  assert.equal(error.kind, 'timeout');
  assert.match(error.message, /no answer within 200 ms/);
});

test('a deadline between two attempts gives the previous failure', async () => {
  await using webhook = await startWebhook(status(500));
  const retry = { attempts: 3, backoffMs: 3_600_000 };
  // On a slow machine the deadline may pass before the first try has its answer.
  for (let timeoutMs = 300; ; timeoutMs *= 2) {
    await using remote = open(configurationFor(webhook.url), { timeoutMs, retry });
    const asked = webhook.seen.length;
    const { kind } = await awaitFailure(remote.post({}, {}));
    assert.ok(webhook.seen.length <= asked + 1);
    if (kind === 'status') break;
    assert.equal(kind, 'timeout');
    assert.ok(timeoutMs < 60_000, 'the failure before the deadline is never told');
  }
});

test('an aborted call ends with its reason', async () => {
  const stop = new AbortController();
  const gone = new Error('gone');
  await using webhook = await startWebhook(() => stop.abort(gone));
  await using remote = open(configurationFor(webhook.url));
  await assert.rejects(remote.post({}, { signal: stop.signal }), gone);
  await assert.rejects(remote.post({}, { signal: stop.signal }), gone);
  assert.equal(webhook.seen.length, 1);
});

test('a closed webhook ends its calls', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  await using webhook = await startWebhook(() => resolve());
  const remote = open(configurationFor(webhook.url));
  const call = awaitFailure(remote.post({}, {}));
  await asked;
  await remote[Symbol.asyncDispose]();
  assert.match((await call).message, /the client is closed/);
  assert.match((await awaitFailure(remote.post({}, {}))).message, /the client is closed/);
});

test('a server with an untrusted or wrong certificate gets no request', async () => {
  await using webhook = await startWebhook(json(true));
  const { certificateAuthority, ...withoutAuthority } = configurationFor(webhook.url);
  assert.ok(certificateAuthority);
  for (const configuration of [
    withoutAuthority,
    { ...withoutAuthority, certificateAuthority, tlsServerName: 'elsewhere' },
  ]) {
    await using remote = open(configuration);
    assert.equal((await awaitFailure(remote.post({}, {}))).kind, 'connection');
  }
  assert.equal(webhook.seen.length, 0);
});

for (const url of ['http://user:secret@127.0.0.1/', 'secret', ''])
  test(`a server ${JSON.stringify(url)} is refused without quoting it`, () => {
    assert.throws(() => open({ servers: [url] }), /^Error: the server of a webhook must be an https URL$/);
  });

async function awaitFailure(call: Promise<unknown>): Promise<RemoteWebhookError> {
  const error: unknown = await call.then(
    () => assert.fail('the call should fail'),
    thrown => thrown,
  );
  assert.ok(error instanceof RemoteWebhookError, String(error));
  return error;
}

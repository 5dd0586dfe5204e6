import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { isIPv4, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { defaultDeniedNetworks } from '@binnacle/network-filter';
import type { CallRequest, CallResponse } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { createPki, loadTls, type TlsMaterial } from '@binnacle/tls';
import { createWebhookDispatch, type WebhookDispatchOptions } from '../create-webhook-dispatch.ts';

interface Seen {
  readonly path: string;
  readonly host: string;
  readonly body: string;
}

let directory: string;
let tls: TlsMaterial;
let server: Server;
let port: number;
const seen: Seen[] = [];
const requestsOf = new WeakMap<Socket, number>();
/** Answers that are held back until a test lets them go. */
const held: ServerResponse[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'webhook-dispatch-'));
  tls = await loadTls((await createPki(directory, { serverNames: ['hook.test.svc'] })).serverDirectory);
  server = createServer(
    { cert: tls.cert, key: tls.key },
    (request, response) => void handle(request, response),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

after(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  await rm(directory, { recursive: true });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const path = request.url ?? '';
  seen.push({ path, host: request.headers.host ?? '', body: Buffer.concat(parts).toString() });
  const requests = (requestsOf.get(request.socket) ?? 0) + 1;
  requestsOf.set(request.socket, requests);
  if (path.startsWith('/silent')) held.push(response);
  else if (path.startsWith('/once') && requests > 1) request.socket.destroy();
  else if (path.startsWith('/long')) response.end('x'.repeat(2000));
  else if (path.startsWith('/cut')) response.write('{', () => response.destroy());
  else if (path.startsWith('/slow')) response.write('{');
  else if (path.startsWith('/away')) response.writeHead(307, { location: '/' }).end();
  else if (path.startsWith('/broken')) response.writeHead(500).end('boom');
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{"yes":true}');
}

async function callWith(
  options: WebhookDispatchOptions,
  request: Partial<CallRequest>,
): Promise<CallResponse> {
  await using dispatch = createWebhookDispatch({ allowLoopbackWebhooks: true, ...options });
  using call = createCallContext({ timeoutMs: 20_000 });
  return await dispatch.service.call(requestWith(request), call);
}

function requestWith(request: Partial<CallRequest>): CallRequest {
  return {
    url: request.service === undefined ? `https://127.0.0.1:${port}/hook` : '',
    caBundle: tls.ca,
    body: Buffer.from('{"a":1}'),
    timeoutSeconds: 10,
    caller: 'test',
    ...request,
  };
}

test('a webhook gets the body and the timeout, and its answer is returned', async () => {
  seen.length = 0;
  const { status, contentType, body, failure } = await callWith({}, { timeoutSeconds: 7 });
  assert.deepEqual([failure, status, contentType], ['NONE', 200, 'application/json']);
  assert.equal(Buffer.from(body).toString(), '{"yes":true}');
  assert.deepEqual(seen, [{ path: '/hook?timeout=7s', host: `127.0.0.1:${port}`, body: '{"a":1}' }]);
});

test('every HTTP status is returned, and redirects are not followed', async () => {
  const broken = await callWith({}, { url: `https://localhost:${port}/broken` });
  assert.deepEqual([broken.failure, broken.status], ['NONE', 500]);
  seen.length = 0;
  const away = await callWith({}, { url: `https://localhost:${port}/away` });
  assert.deepEqual([away.failure, away.status, seen.length], ['NONE', 307, 1]);
});

test('a service is called at its address under its own name', async () => {
  seen.length = 0;
  const answer = await callWith(
    {
      resolveService: async ({ namespace, name }) =>
        namespace === 'test' && name === 'hook' ? { host: '127.0.0.1', port } : undefined,
    },
    { service: { namespace: 'test', name: 'hook', path: '/p', port: 443 } },
  );
  assert.deepEqual([answer.failure, answer.failureMessage, answer.status], ['NONE', '', 200]);
  assert.deepEqual(
    seen.map(({ path, host }) => [path, host]),
    [['/p?timeout=10s', 'hook.test.svc']],
  );
});

test('a missing service is reported by name', async () => {
  const answer = await callWith({}, { service: { namespace: 'test', name: 'nosuch', path: '/', port: 443 } });
  assert.equal(answer.failure, 'NO_SUCH_SERVICE');
  assert.match(answer.failureMessage, /service "nosuch" not found/);
});

test('kinds of failures are distinguished', async () => {
  const closed = createServer();
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
  const address = closed.address();
  const closedPort = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise(resolve => closed.close(resolve));
  const cases: readonly [Partial<CallRequest>, CallResponse['failure'], RegExp][] = [
    [{ caBundle: new Uint8Array(0) }, 'CERTIFICATE', /certificate/],
    [{ url: `https://127.0.0.1:${closedPort}/` }, 'CONNECTION', /ECONNREFUSED/],
    [{ url: `https://127.0.0.1:${port}/silent`, timeoutSeconds: 1 }, 'TIMEOUT', /deadline exceeded.*1s/],
    [{ url: `https://127.0.0.1:${port}/slow`, timeoutSeconds: 1 }, 'TIMEOUT', /deadline exceeded.*1s/],
    [{ url: `https://127.0.0.1:${port}/cut` }, 'CONNECTION', /aborted/],
    [{ url: `https://127.0.0.1:${port}/long` }, 'TOO_LARGE', /longer than 1000 bytes/],
  ];
  for (const [request, failure, message] of cases) {
    const answer = await callWith({ maxAnswerBytes: 1000 }, request);
    assert.equal(answer.failure, failure, answer.failureMessage);
    assert.match(answer.failureMessage, message);
  }
});

test('an invalid URL is not called', async () => {
  const urls = [
    '',
    'nonsense',
    'http://127.0.0.1/',
    'https://user@127.0.0.1/',
    'https://user:word@127.0.0.1/',
    'https://127.0.0.1/#part',
    'https://127.0.0.1/?a=b',
    'https://127.0.0.1/?',
  ];
  for (const url of urls) assert.equal((await callWith({}, { url })).failure, 'INVALID_TARGET', url);
});

const refusedHosts = [
  '127.0.0.1',
  '127.1.2.3',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '0',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '127.1',
  '①②⑦.0.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '[fe80::1]',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '10.66.0.1',
  '[::ffff:10.66.0.1]',
];
for (const host of refusedHosts)
  test(`${host} is not called`, async () => {
    seen.length = 0;
    const options = {
      allowLoopbackWebhooks: false,
      webhookDeniedNetworks: [...defaultDeniedNetworks, '10.66.0.0/16'],
    };
    const answer = await callWith(options, { url: `https://${host}:${port}/hook` });
    assert.deepEqual([answer.failure, seen.length], ['INVALID_TARGET', 0], answer.failureMessage);
  });

/** The addresses of this machine's own name; none where no name service knows it. */
const ownAddresses = (await lookup(hostname(), { all: true }).catch(() => [])).map(({ address }) => address);

test('a name that resolves to a refused address is not called', {
  skip: ownAddresses.length === 0,
}, async () => {
  seen.length = 0;
  const webhookDeniedNetworks = ownAddresses.map(address => `${address}/${isIPv4(address) ? 32 : 128}`);
  const url = `https://${hostname()}:${port}/hook`;
  const answer = await callWith({ webhookDeniedNetworks }, { url });
  assert.deepEqual([answer.failure, seen.length], ['INVALID_TARGET', 0], answer.failureMessage);
  assert.match(answer.failureMessage, /is in a denied network/);
});

test('loopback and link-local addresses are refused unless flags allow them', async () => {
  await using dispatch = createWebhookDispatch();
  using call = createCallContext({ timeoutMs: 20_000 });
  for (const host of ['127.0.0.1', 'localhost', '169.254.1.1'])
    assert.equal(
      (await dispatch.service.call(requestWith({ url: `https://${host}:${port}/` }), call)).failure,
      'INVALID_TARGET',
    );
  const linkLocal = await callWith(
    { allowLinkLocalWebhooks: true },
    { url: `https://169.254.1.1:${port}/`, timeoutSeconds: 1 },
  );
  assert.notEqual(linkLocal.failure, 'INVALID_TARGET');
});

test('an invalid network is an error', () => {
  assert.throws(
    () => createWebhookDispatch({ webhookDeniedNetworks: ['10.0.0.0/8', 'inside'] }),
    /network "inside"/,
  );
});

test('a kept connection that the webhook closes during a request is replaced', async () => {
  await using dispatch = createWebhookDispatch({ allowLoopbackWebhooks: true });
  const url = `https://127.0.0.1:${port}/once`;
  for (let i = 0; i < 3; i++) {
    using call = createCallContext({ timeoutMs: 20_000 });
    const answer = await dispatch.service.call(requestWith({ url }), call);
    assert.deepEqual([answer.failure, answer.status], ['NONE', 200], answer.failureMessage);
  }
});

test('calls beyond the limit of a target fail at once', async () => {
  await using dispatch = createWebhookDispatch({ allowLoopbackWebhooks: true, maxCallsPerWebhook: 1 });
  using call = createCallContext({ timeoutMs: 20_000 });
  const url = `https://127.0.0.1:${port}/silent`;
  held.length = 0;
  const first = dispatch.service.call(requestWith({ url }), call);
  const second = await dispatch.service.call(requestWith({ url }), call);
  assert.equal(second.failure, 'CONNECTION');
  assert.match(second.failureMessage, /more than 1 calls/);
  while (held.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  held[0]?.end('{}');
  assert.equal((await first).status, 200);
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { findLosses } from './find-losses.ts';
import { FollowedWatches } from './followed-watches.ts';
import { LoadClient, type LoadServer } from './load-client.ts';
import { GatewayTurns, ReadyGateways } from './ready-gateways.ts';

let directory = '';
let pki: Pki;
let ca = '';
const stack = new AsyncDisposableStack();

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-rolling-test-'));
  pki = await createPki(directory, { clients: [] });
  ca = await readFile(pki.caFile, 'utf8');
});
after(async () => {
  await stack.disposeAsync();
  await rm(directory, { recursive: true });
});

/** A server of HTTP/2, and of HTTP/1.1 for checks, with its connections and the paths that were asked for. */
async function startServer(serve: (stream: ServerHttp2Stream, path: string, requests: number) => void) {
  const { cert, key } = await loadTls(pki.serverDirectory);
  const sessions = new Set<ServerHttp2Session>();
  const state = { sessions: 0, paths: [] as string[], isReady: true };
  const server = createSecureServer({ cert, key, allowHTTP1: true });
  server.on('session', session => {
    state.sessions++;
    sessions.add(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream, { ':path': path = '' }) => {
    stream.on('error', () => {});
    state.paths.push(path);
    serve(stream, path, state.paths.length);
  });
  server.on('request', (request, response) => {
    if (request.httpVersion === '1.1') response.writeHead(state.isReady ? 200 : 503).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { state, address: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }; // It listens on TCP.
}

const serverAt = (address: string): LoadServer => ({ gateways: { next: () => address }, ca, token: 'some' });

function answer(stream: ServerHttp2Stream, code = 200, headers = {}): void {
  stream.respond({ ':status': code, ...headers });
  stream.end('{}');
}

test('after a GOAWAY a client opens another connection, and the requests of the first one go on', async () => {
  const waiting: ServerHttp2Stream[] = [];
  const { state, address } = await startServer((stream, path) => {
    if (path === '/wait') return void waiting.push(stream);
    if (path === '/last') stream.session?.goaway();
    answer(stream);
  });
  using client = new LoadClient(serverAt(address));
  const slow = client.request({ method: 'GET', path: '/wait' });
  await pollUntil('the request', async () => waiting.length === 1);
  await client.request({ method: 'GET', path: '/last' });
  await pollUntil('another connection', async () => {
    await client.request({ method: 'GET', path: '/next' });
    return state.sessions === 2;
  });
  answer(waiting[0]!);
  assert.equal((await slow).code, 200);
});

test('a request that the server did not process is sent again, and no other one', async () => {
  const { state, address } = await startServer((stream, path, requests) => {
    if (path === '/break') stream.session?.destroy();
    else if (requests === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else answer(stream, 503, { 'retry-after': '2' });
  });
  using client = new LoadClient(serverAt(address));
  const { code, retryAfterMs } = await client.request({ method: 'POST', path: '/', body: {} });
  assert.deepEqual([code, retryAfterMs, client.resent], [503, 2000, 1]);
  await assert.rejects(client.request({ method: 'GET', path: '/break' }), /no answer/);
  assert.deepEqual(state.paths, ['/', '/', '/break']);
});

test('watches go on at their last version, and tell how they ended, what came twice and what is missing', async () => {
  const message = (type: string, name: string, resourceVersion: string) =>
    `${JSON.stringify({ type, object: { metadata: { name, resourceVersion } } })}\n`;
  const parts = [
    [message('ADDED', 'a', '2'), message('BOOKMARK', '', '3')],
    [message('ADDED', 'b', '4'), message('ADDED', 'b', '4')],
    [message('DELETED', 'a', '5')],
  ];
  const { state, address } = await startServer((stream, _path, requests) => {
    stream.respond({ ':status': 200 });
    for (const part of parts[requests - 1] ?? []) stream.write(part);
    if (requests < 3) stream.end();
  });
  const options = { collections: ['/c'], version: '1', timeoutSeconds: 300 };
  using watches = new FollowedWatches({ servers: [serverAt(address)], ...options });
  await watches.open();
  const seen = () => watches.sequences()[0]?.keys.join(', ');
  await pollUntil('the last event', async () => seen() === '2, 4, 4, a');
  const versions = state.paths.map(path => new URL(path, address).searchParams.get('resourceVersion'));
  assert.deepEqual(versions, ['1', '3', '4']);
  const { ended, endedWithoutBookmark, brokenOff, repeated, gapsMs } = watches.take();
  assert.deepEqual([ended, endedWithoutBookmark, brokenOff, repeated, gapsMs.length], [1, 1, 0, 1, 2]);
  const acknowledged = [{ collection: '/c', key: 6, dueAt: 0 }];
  const { lost, repeated: twice } = findLosses(watches.sequences(), acknowledged);
  assert.deepEqual([lost, twice], [1, 1]);
});

test('new connections go in turn to the gateways that are ready', async () => {
  const servers = await Promise.all([0, 1].map(() => startServer(stream => answer(stream))));
  const gateways = new GatewayTurns();
  using ready = new ReadyGateways(list => gateways.use(list));
  for (const { address } of servers) await ready.add(address);
  const connect = async () => {
    using client = new LoadClient({ gateways, ca, token: 'some' });
    assert.equal((await client.request({ method: 'GET', path: '/' })).code, 200);
  };
  const counts = () => servers.map(({ state }) => state.sessions);
  for (let count = 0; count < 4; count++) await connect();
  assert.deepEqual(counts(), [2, 2]);
  const [first, second] = servers.map(({ state }) => state);
  first!.isReady = false;
  await pollUntil('a check of the first one', async () => {
    const before = second!.sessions;
    for (let count = 0; count < 2; count++) await connect();
    return second!.sessions === before + 2;
  });
  ready.remove(servers[1]!.address);
  await assert.rejects(connect(), /no server takes the request/);
});

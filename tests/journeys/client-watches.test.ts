import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '@binnacle/client';
import type { WatchMessage } from '@binnacle/client/testing';
import { StatusError } from '@binnacle/status-errors';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { findPort } from './setup/find-port.ts';

let directory = '';
let pki: Pki;
let tls: { readonly cert: Buffer; readonly key: Buffer };
const stack = new AsyncDisposableStack();

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-links-'));
  pki = await createPki(directory, { clients: [] });
  tls = await loadTls(pki.serverDirectory);
});
after(async () => {
  await stack.disposeAsync();
  await rm(directory, { recursive: true });
});

/** A server whose watches stay open after one message. */
class WatchServer {
  readonly sessions: ServerHttp2Session[] = [];
  readonly streams: ServerHttp2Stream[] = [];
  readonly server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();

  constructor(maxConcurrentStreams: number) {
    this.server = createSecureServer({ ...tls, settings: { maxConcurrentStreams } });
    this.server.on('secureConnection', (socket: Socket) => this.#sockets.add(socket));
    this.server.on('session', session => this.sessions.push(session));
    this.server.on('stream', (stream, { ':path': path }) => {
      this.streams.push(stream);
      if (path === '/refused') {
        stream.respond({ ':status': 403 });
        stream.end(JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'not you' }));
        return;
      }
      stream.respond({ ':status': 200 });
      const object = { metadata: { name: 'a', resourceVersion: '1' } };
      stream.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  return `https://127.0.0.1:${findPort(server)}`;
}

async function start({ maxStreams = 100 } = {}): Promise<{ served: WatchServer; url: string }> {
  const served = stack.use(new WatchServer(maxStreams));
  return { served, url: await listen(served.server) };
}

/** Starts a wire that passes bytes on to a server until it is cut, as where a machine is gone. */
async function startWire(to: string): Promise<{ url: string; cut: () => void }> {
  const server = createTcpServer(near => {
    const far = connectTcp(Number(new URL(to).port), '127.0.0.1');
    near.pipe(far).pipe(near);
    server.once('cut', () => near.unpipe(far) && far.unpipe(near));
    stack.defer(() => void [near, far].map(socket => socket.destroy()));
  });
  stack.defer(() => void server.close());
  return { url: await listen(server), cut: () => server.emit('cut') };
}

async function createClient(servers: string[], watchPingMs?: number): Promise<ApiClient> {
  const certificateAuthority = await readFile(pki.caFile);
  return stack.use(
    createApiClient({
      configuration: { servers, certificateAuthority },
      userAgent: 'test',
      ...(watchPingMs !== undefined && { watchPingMs }),
    }),
  );
}

/** Begins a watch, and resolves when its first message is there. */
async function begin(client: ApiClient, path = '/watch') {
  const stop = new AbortController();
  const messages = client.watch(path, stop.signal)[Symbol.asyncIterator]();
  const first = (await messages.next()).value as WatchMessage; // A watch that begins says something.
  const next = messages.next();
  // A test that waits for it gets the error.
  next.catch(() => {});
  return { first, stop, next };
}

async function until(condition: () => boolean): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; !condition(); await pause(2))
    assert.ok(Date.now() < giveUpAt, 'in vain');
}

test('watches that start together share one connection', async () => {
  const { served, url } = await start();
  const client = await createClient([url]);
  const watches = await Promise.all(Array.from({ length: 40 }, () => begin(client)));
  assert.deepEqual([served.sessions.length, served.streams.length], [1, 40]);
  assert.ok(watches.every(({ first }) => first.object.metadata.name === 'a'));
});

test('watches beyond the capacity of a connection use another one, and free capacity is reused', async () => {
  const { served, url } = await start({ maxStreams: 3 });
  const client = await createClient([url]);
  const watches = await Promise.all(Array.from({ length: 7 }, () => begin(client)));
  assert.equal(served.sessions.length, 3);
  for (const { stop, next } of watches.slice(0, 2)) {
    stop.abort();
    assert.equal((await next).done, true);
  }
  await until(() => served.streams.filter(({ destroyed }) => destroyed).length === 2);
  await Promise.all([begin(client), begin(client), begin(client)]);
  assert.equal(served.sessions.length, 3);
});

test('a server that stops ends no watch at once, and new watches use another server', async () => {
  const { served, url } = await start();
  const client = await createClient([url]);
  await begin(client);
  served.sessions[0]?.goaway();
  while (served.sessions.length < 2) await begin(client);
  assert.equal(served.streams[0]?.destroyed, false);
});

test('a server that stops and does not answer is given up', async () => {
  const { served, url } = await start();
  const wire = await startWire(url);
  const client = await createClient([wire.url]);
  const { next } = await begin(client);
  served.sessions[0]?.goaway();
  let acknowledged = 0;
  served.sessions[0]?.on('remoteSettings', () => acknowledged++);
  await until(() => acknowledged > 3);
  assert.equal(served.streams[0]?.destroyed, false, 'a server that says nothing, but answers, is there');
  wire.cut();
  await assert.rejects(next, /no data received for/);
});

test('the abort of a watch does not affect others', async () => {
  const { served, url } = await start();
  const client = await createClient([url]);
  const [one, other] = [await begin(client), await begin(client)];
  one.stop.abort();
  assert.equal((await one.next).done, true);
  await until(() => served.streams[0]?.closed === true);
  assert.equal(served.streams[1]?.closed, false);
  served.streams[1]?.end();
  assert.equal((await other.next).done, true, 'the server may end a watch');
});

test('an aborted watch ends at once although its server is silent', async () => {
  const silent = createTcpServer();
  const connected = once(silent, 'connection');
  stack.defer(() => void silent.close());
  const client = await createClient([await listen(silent)]);
  const stop = new AbortController();
  const messages = client.watch('/watch', stop.signal)[Symbol.asyncIterator]();
  const next = messages.next();
  const [socket] = (await connected) as [Socket]; // A server reports sockets.
  stack.defer(() => void socket.destroy());
  socket.resume();
  stop.abort();
  assert.equal((await next).done, true);
  await pause(50);
  assert.equal(socket.readableEnded, false, 'before the attempt to connect is given up');
});

test('a refusal is thrown with its Status', async () => {
  const { url } = await start();
  const client = await createClient([url]);
  await assert.rejects(
    begin(client, '/refused'),
    (error: unknown) => error instanceof StatusError && error.code === 403 && error.message === 'not you',
  );
});

test('a lost server is an error for each watch, and new watches use the next server', async () => {
  const [first, second] = [await start(), await start()];
  const client = await createClient([first.url, second.url]);
  const watches = [await begin(client), await begin(client)];
  await first.served[Symbol.asyncDispose]();
  for (const { next } of watches)
    await assert.rejects(next, (error: unknown) => error instanceof StatusError && error.code === 503);
  await begin(client);
  assert.equal(second.served.streams.length, 1);
});

test('a server that does not answer is given up', async () => {
  const { served, url } = await start();
  const wire = await startWire(url);
  const client = await createClient([wire.url], 2000);
  const { next } = await begin(client);
  let pings = 0;
  served.sessions[0]?.on('ping', () => pings++);
  await until(() => pings > 0);
  assert.equal(served.streams[0]?.destroyed, false, 'a server that says nothing, but answers, is there');
  wire.cut();
  await assert.rejects(next, /no data received for/);
});

test('without HTTP/2 each watch has a connection of its own', async () => {
  const server = createHttpsServer(tls, (_, response) => {
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata: {} } })}\n`);
  });
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  let accepted = 0;
  server.on('connection', () => accepted++);
  const client = await createClient([await listen(server)]);
  await Promise.all([begin(client), begin(client)]);
  await begin(client);
  assert.equal(accepted, 4, 'one of them shows that HTTP/2 is not spoken');
});

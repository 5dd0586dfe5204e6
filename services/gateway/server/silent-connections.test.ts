import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { type ConnectionGuard, closeServer, listen } from '@binnacle/connections';
import { createPki, loadTls } from '@binnacle/tls';
import { readBody } from '../request/read-body.ts';
import type { ConnectionSettings } from '../settings/connection-flags.ts';
import { acceptWebSocket } from '../watch/framing/handshake.ts';
import { createServer } from './create-server.ts';
import type { ServingTls } from './secure-context-options.ts';

let directory = '';
let tls: ServingTls;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-silence-'));
  const pki = await createPki(directory);
  tls = { ...(await loadTls(pki.serverDirectory)), clientCa: await readFile(pki.caFile) };
});
after(() => rm(directory, { recursive: true }));

/** More than the kernel takes from a server whose client does not read. */
const large = Buffer.alloc(32 * 1024 * 1024);
const short = 60;

interface Target extends AsyncDisposable {
  readonly server: Server;
  readonly guard: ConnectionGuard;
  readonly port: number;
  readonly closed: Map<string, number>;
  readonly refused: Map<string, number>;
}

const long = 600_000;

async function start(form: 'tls' | 'plain', timeouts: Partial<ConnectionSettings>): Promise<Target> {
  const closed = new Map<string, number>();
  const refused = new Map<string, number>();
  const count = (map: Map<string, number>) => (reason: string) => map.set(reason, (map.get(reason) ?? 0) + 1);
  const { server, guard } = createServer({
    tls: form === 'tls' ? tls : undefined,
    handle: async ({ request, response, path, call }) => {
      if (path === '/large') response.end(large);
      else if (path === '/stream') {
        response.writeHead(200, { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' });
        response.write('begun');
      } else if (path === '/socket') {
        response.writeHead(101, acceptWebSocket(request, response));
        response.flushHeaders();
        response.socket?.write(large);
      } else if (path === '/early') response.writeHead(403).end('no');
      else response.end(String((await readBody({ request, response }, call)).length));
    },
    isStopping: () => false,
    requestTimeout: long,
    connections: {
      tlsHandshakeTimeout: long,
      requestHeaderTimeout: long,
      requestBodyIdleTimeout: long,
      responseIdleTimeout: long,
      keepAliveTimeout: long,
      ...timeouts,
    },
    connectionMetrics: { established() {}, closed: count(closed), refused: count(refused), open() {} },
    metrics: { tlsHandshakeFailed: () => {} },
    clock: Date.now,
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    ...{ server, guard, port, closed, refused },
    [Symbol.asyncDispose]: () => closeServer(server, guard, 0),
  };
}

const countConnections = (server: Server) => promisify(server.getConnections.bind(server))();

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; !(await condition()); await pause(5))
    assert.ok(Date.now() < giveUpAt, `in vain: ${what}`);
}

interface Silence {
  readonly what: string;
  /** Without it, in both forms. */
  readonly only?: 'tls';
  /** Sent below TLS. */
  readonly raw?: Buffer | string;
  /** Sent as the client of an established connection. */
  readonly text?: string;
  /** Sent again and again. */
  readonly drip?: string;
  /** Whether the client has sent its end, too. */
  readonly isHalfClosed?: boolean;
  /** Whether the client reads nothing. */
  readonly isDeaf?: boolean;
  /** The timeout that ends it. */
  readonly timeout: keyof ConnectionSettings;
  /** The reason that the guard counts; undefined: the HTTP server closes it. */
  readonly reason?: string;
}

const clientHello = Buffer.from('16030100f8010000f40303', 'hex');
const webSocketKey = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`;
const upgrade =
  'GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';

const header = { timeout: 'requestHeaderTimeout' } as const;
const body = { timeout: 'requestBodyIdleTimeout', reason: 'body' } as const;
const answer = { timeout: 'responseIdleTimeout', reason: 'answer', isDeaf: true } as const;
const handshake = { timeout: 'tlsHandshakeTimeout', reason: 'handshake', only: 'tls' } as const;

const silences: Silence[] = [
  { ...handshake, what: 'nothing below TLS', raw: '' },
  { ...handshake, what: 'half a client hello', raw: clientHello },
  { ...header, what: 'no request' },
  { ...header, what: 'half the headers', text: 'GET / HTTP/1.1\r\nHost: x\r\n' },
  { ...header, what: 'headers that drip', text: 'GET / HTTP/1.1\r\nX-Slow: ', drip: 'x' },
  { ...header, what: 'half an upgrade', text: upgrade },
  { ...body, what: 'no body', text: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n' },
  {
    ...body,
    what: 'a body that drips',
    text: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n',
    drip: 'x',
  },
  {
    ...body,
    what: 'chunks that stop',
    text: 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
  },
  {
    ...body,
    what: 'no body while the answer goes on',
    text: 'POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
  },
  {
    timeout: 'keepAliveTimeout',
    what: 'nothing after an answer',
    text: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  },
  { ...answer, what: 'an answer that is not read', text: 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n' },
  {
    ...answer,
    what: 'an answer that is not read, and requests behind it',
    text: 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50),
  },
  {
    timeout: 'responseIdleTimeout',
    what: 'an answer that is not read by a client that is done',
    text: 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n',
    isDeaf: true,
    isHalfClosed: true,
  },
  { ...header, what: 'a refusal that is not read', text: `GET /${'x'.repeat(70_000)}`, isDeaf: true },
  { ...answer, what: 'messages of a WebSocket that are not read', text: `${upgrade}${webSocketKey}\r\n` },
];

function open({ port }: Target, form: 'tls' | 'plain', silence: Silence): Socket {
  const { raw, text, drip, isDeaf = false, isHalfClosed = false } = silence;
  // Half open: the client does not close its side because the server did.
  const how = { port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true };
  const socket = form === 'tls' && raw === undefined ? connectTls(how) : connectTcp(how);
  // A client that is cut off is told by a reset.
  socket.on('error', () => {});
  if (isDeaf) socket.pause();
  else socket.resume();
  socket.once(form === 'tls' && raw === undefined ? 'secureConnect' : 'connect', () => {
    socket.write(raw ?? text ?? '');
    if (isHalfClosed) socket.end();
    if (drip === undefined) return;
    const timer = setInterval(() => socket.write(drip), short / 4);
    socket.once('close', () => clearInterval(timer));
  });
  return socket;
}

const each = (['tls', 'plain'] as const).flatMap(form =>
  silences.filter(({ only = form }) => only === form).map(silence => ({ form, silence })),
);
const many = 5;

describe('silent connections', { concurrency: true }, () => {
  for (const { form, silence } of each) {
    test(`${form}: the server closes connections with ${silence.what}`, async () => {
      await using target = await start(form, { [silence.timeout]: short });
      let accepted = 0;
      target.server.on('connection', () => accepted++);
      const clients = Array.from({ length: many }, () => open(target, form, silence));
      // A server that has not accepted them all would have none too soon.
      await until('accepted', () => accepted === many);
      await until('closed', async () => (await countConnections(target.server)) === 0);
      await until('forgotten', () => target.guard.size === 0);
      if (silence.reason !== undefined) assert.deepEqual([...target.closed], [[silence.reason, many]]);
      for (const client of clients) client.destroy();
    });

    test(`${form}: the server stops in spite of connections with ${silence.what}`, async () => {
      const target = await start(form, {});
      const closing = Promise.withResolvers<void>();
      let accepted = 0;
      target.server.on('connection', () => {
        accepted++;
        if (accepted === many) closing.resolve();
      });
      const clients = Array.from({ length: many }, () => open(target, form, silence));
      await closing.promise;
      // The deadline for what is under way never comes: the server does not wait for these clients until then.
      await closeServer(target.server, target.guard, long);
      assert.equal(await countConnections(target.server), 0);
      for (const client of clients) client.destroy();
    });
  }
});

test('a client cannot renegotiate TLS', async () => {
  await using target = await start('tls', {});
  const options = { port: target.port, host: '127.0.0.1', rejectUnauthorized: false };
  const socket = connectTls({ ...options, maxVersion: 'TLSv1.2' });
  await once(socket, 'secureConnect');
  socket.on('error', () => {}).resume();
  const renegotiated = Promise.withResolvers<Error | null>();
  socket.renegotiate({}, renegotiated.resolve);
  socket.once('close', () => renegotiated.resolve(new Error('closed')));
  assert.notEqual(await renegotiated.promise, null);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { createPki, loadTls, type TlsMaterial } from '@binnacle/tls';
import { closeServer } from './close-server.ts';
import { ConnectionGuard, type ConnectionLimits } from './connection-guard.ts';
import type { ConnectionState } from './connection-metrics.ts';

let directory = '';
let material: TlsMaterial;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-guard-'));
  material = await loadTls((await createPki(directory)).serverDirectory);
});
after(() => rm(directory, { recursive: true }));

const never = 1e9;

/** Starts a server that answers `/wait` only when the test ends the response, with a guard whose clock the test advances. */
async function start(limits: Partial<ConnectionLimits>, isTls = false) {
  const waiting: ServerResponse[] = [];
  const answer = (request: { url?: string | undefined }, response: ServerResponse) =>
    request.url === '/wait'
      ? waiting.push(response)
      : response.end(request.url === '/large' ? Buffer.alloc(32 * 1024 * 1024) : 'ok');
  const server: Server = isTls ? createHttpsServer(material, answer) : createHttpServer(answer);
  const time = { now: 0 };
  const events: string[] = [];
  let counts: Readonly<Record<ConnectionState, number>> = { handshake: 0, idle: 0, active: 0 };
  const guard = new ConnectionGuard(server, {
    limits: { maxConnections: 0, maxConnectionsPerAddress: 0, maxTlsHandshakes: 0, ...limits },
    stallTimeouts: { bodyMs: never, answerMs: never },
    handshakeTimeoutMs: never,
    metrics: {
      established() {},
      refused: reason => events.push(`refused ${reason}`),
      closed: reason => events.push(`closed ${reason}`),
      open(now) {
        counts = now;
      },
    },
    now: () => time.now,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const open = (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const closed = new Promise<void>(resolve => socket.on('error', () => {}).on('close', () => resolve()));
    socket.resume();
    return { socket, closed };
  };
  /** Opens a connection and waits until the server has accepted it. */
  const opened = async (localAddress?: string) => {
    const { size } = guard;
    const connection = open(localAddress);
    await until(() => guard.size > size);
    return connection;
  };
  return {
    ...{ guard, time, events, open, opened, port, waiting },
    async counts() {
      await guard.look();
      return counts;
    },
    [Symbol.asyncDispose]: () => closeServer(server, guard, 0),
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; !condition(); await pause(2))
    assert.ok(Date.now() < giveUpAt, 'in vain');
}

async function get(socket: Socket, path = '/'): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  if (path === '/') await once(socket, 'data');
}

test('at the limit the connection that has been idle for the longest time is evicted', async () => {
  await using t = await start({ maxConnections: 3 });
  const [first, second, third] = [await t.opened(), await t.opened(), await t.opened()];
  await get(second.socket);
  await get(third.socket, '/wait');
  await until(() => t.waiting.length === 1);
  await t.counts();
  t.time.now = 5_000;
  // The first connection sends a request; the others have been idle since they were accepted.
  await get(first.socket);
  await t.counts();
  t.time.now = 10_000;
  const fourth = t.open();
  await second.closed;
  await get(fourth.socket);
  assert.deepEqual(t.events, ['closed evicted']);
  assert.equal(t.guard.size, 3);
  // The first connection is evicted next; the third, which has a request, never is.
  const fifth = t.open();
  await first.closed;
  await get(fifth.socket);
  t.waiting[0]?.end('at last');
  await once(third.socket, 'data');
  assert.deepEqual(t.events, ['closed evicted', 'closed evicted']);
});

test('at the limit a new connection is closed if all others are busy or too young to be evicted', async () => {
  await using t = await start({ maxConnections: 2 });
  const busy = await t.opened();
  await get(busy.socket, '/wait');
  await until(() => t.waiting.length === 1);
  t.time.now = 10_000;
  await t.opened();
  await t.open().closed;
  assert.deepEqual(t.events, ['refused total']);
  assert.deepEqual(await t.counts(), { handshake: 0, idle: 1, active: 1 });
});

test('an address with most of the connections cannot evict those of others', async () => {
  await using t = await start({ maxConnections: 5 });
  const other = await t.opened('127.0.0.2');
  for (let i = 0; i < 4; i++) await t.opened('127.0.0.3');
  t.time.now = 10_000;
  for (let i = 0; i < 4; i++) {
    const newcomer = t.open('127.0.0.3');
    await get(newcomer.socket);
  }
  await get(other.socket);
  assert.equal(t.guard.size, 5);
  assert.deepEqual(new Set(t.events), new Set(['closed evicted']));
});

test('each address has its own limit', async () => {
  await using t = await start({ maxConnectionsPerAddress: 2 });
  const first = await t.opened('127.0.0.2');
  await t.opened('127.0.0.2');
  await t.open('127.0.0.2').closed;
  assert.deepEqual(t.events, ['refused address']);
  await get((await t.opened('127.0.0.3')).socket);
  t.time.now = 10_000;
  const third = t.open('127.0.0.2');
  await first.closed;
  await get(third.socket);
  assert.deepEqual(t.events, ['refused address', 'closed evicted']);
});

test('unfinished handshakes are evicted, except young ones', async () => {
  await using t = await start({ maxTlsHandshakes: 2 }, true);
  const [first] = [await t.opened(), await t.opened()];
  await t.open().closed;
  assert.deepEqual(t.events, ['refused handshakes']);
  assert.deepEqual(await t.counts(), { handshake: 2, idle: 0, active: 0 });
  t.time.now = 10_000;
  const stranger = connectTls({ port: t.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(stranger, 'secureConnect');
  await first?.closed;
  await get(stranger);
  assert.deepEqual(await t.counts(), { handshake: 1, idle: 1, active: 0 });
  stranger.destroy();
});

test('a closed connection is no longer counted', async () => {
  await using t = await start({ maxConnections: 2 });
  for (let i = 0; i < 10; i++) {
    const { socket } = await t.opened();
    await get(socket);
    socket.destroy();
    await until(() => t.guard.size === 0);
  }
  assert.deepEqual(t.events, []);
  assert.deepEqual(await t.counts(), { handshake: 0, idle: 0, active: 0 });
});

test('a connection whose client does not read its answer is evicted if no other can be', async () => {
  await using t = await start({ maxConnections: 2 });
  const busy = await t.opened();
  await get(busy.socket, '/wait');
  const deaf = await t.opened();
  deaf.socket.pause();
  await get(deaf.socket, '/large');
  await until(() => t.waiting.length === 1);
  while ((await t.counts()).active < 2) await pause(2);
  t.time.now = 4_000;
  await t.open().closed;
  t.time.now = 10_000;
  const newcomer = t.open();
  await get(newcomer.socket);
  assert.deepEqual(t.events, ['refused total', 'closed evicted']);
  assert.equal(busy.socket.destroyed, false);
});

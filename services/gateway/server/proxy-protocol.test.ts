import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type ConnectionGuard, closeServer, getClientAddress, listen } from '@binnacle/connections';
import { createPki, loadTls } from '@binnacle/tls';
import type { ConnectionSettings } from '../settings/connection-flags.ts';
import { createServer } from './create-server.ts';
import type { ServingTls } from './secure-context-options.ts';

let directory = '';
let tls: ServingTls;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-proxy-protocol-'));
  tls = await loadTls((await createPki(directory)).serverDirectory);
});
after(() => rm(directory, { recursive: true }));

interface Target extends AsyncDisposable {
  readonly server: Server;
  readonly guard: ConnectionGuard;
  readonly port: number;
  readonly refused: string[];
}

/** A server that answers with the address of its client; its balancer is at 127.0.0.2. */
async function start(form: 'tls' | 'plain', connections: Partial<ConnectionSettings> = {}): Promise<Target> {
  const refused: string[] = [];
  const { server, guard } = createServer({
    tls: form === 'tls' ? tls : undefined,
    handle: async ({ request, response }) => {
      response.end(`client ${getClientAddress(request.socket)}`);
    },
    isStopping: () => false,
    requestTimeout: 60_000,
    connections: { proxyProtocolNetworks: ['127.0.0.2/32'], ...connections },
    connectionMetrics: { established() {}, closed() {}, refused: reason => refused.push(reason), open() {} },
    metrics: { tlsHandshakeFailed: () => {} },
    clock: Date.now,
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const dispose = () => closeServer(server, guard, 0);
  return { server, guard, port, refused, [Symbol.asyncDispose]: dispose };
}

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** The header for a client at an IPv4 address; without one, that of a check by the balancer itself. */
function header(client?: string): Buffer {
  if (client === undefined) return Buffer.concat([signature, Buffer.from([0x20, 0, 0, 0])]);
  const addresses = [...client.split('.').map(Number), 127, 0, 0, 1, 0xc3, 0x50, 0x19, 0x2b];
  return Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 12, ...addresses])]);
}

const balancer = '127.0.0.2';

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends a request over a connection, with TLS where the server has it; what the server says until it ends. */
async function ask(tcp: Socket, form: 'tls' | 'plain'): Promise<string> {
  const stream =
    form === 'tls' ? connectTls({ socket: tcp, rejectUnauthorized: false }).on('error', () => {}) : tcp;
  let said = '';
  stream.on('data', data => {
    said += data;
  });
  stream.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  // A server that refuses resets the connection.
  await new Promise(resolve => stream.once('close', resolve));
  return /client (\S*)$/.exec(said)?.[1] ?? said;
}

for (const form of ['tls', 'plain'] as const) {
  test(`${form}: the client address is taken from the PROXY header of the balancer`, async () => {
    await using target = await start(form);
    const tcp = await open(target.port, balancer);
    tcp.write(header('192.0.2.7'));
    assert.equal(await ask(tcp, form), '192.0.2.7');
    assert.deepEqual(target.refused, []);
  });

  test(`${form}: a header that arrives byte by byte is accepted`, async () => {
    await using target = await start(form);
    const tcp = (await open(target.port, balancer)).setNoDelay(true);
    for (const byte of header('192.0.2.8')) {
      tcp.write(Buffer.from([byte]));
      await new Promise(resolve => setImmediate(resolve));
    }
    assert.equal(await ask(tcp, form), '192.0.2.8');
  });

  test(`${form}: a health check of the balancer has the address of the balancer`, async () => {
    await using target = await start(form);
    const tcp = await open(target.port, balancer);
    tcp.write(header());
    assert.equal(await ask(tcp, form), balancer);
  });

  test(`${form}: connections of other peers are served, and their PROXY headers are not trusted`, async () => {
    await using target = await start(form);
    assert.equal(await ask(await open(target.port, '127.0.0.3'), form), '127.0.0.3');
    const liar = await open(target.port, '127.0.0.3');
    liar.write(header('192.0.2.9'));
    assert.doesNotMatch(await ask(liar, form), /192\.0\.2\.9/);
  });

  test(`${form}: a connection of the balancer without a header is not served`, async () => {
    await using target = await start(form);
    assert.equal(await ask(await open(target.port, balancer), form), '');
    assert.deepEqual(target.refused, ['proxy-header']);
    assert.equal(target.guard.size, 0);
  });
}

test('address limits apply to the clients behind the balancer', async () => {
  await using target = await start('plain', { maxConnectionsPerAddress: 1 });
  const openConnection = async (client: string): Promise<Socket> => {
    const tcp = await open(target.port, balancer);
    tcp.write(header(client));
    return tcp;
  };
  const first = await openConnection('192.0.2.1');
  first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(first, 'data');
  assert.equal(await ask(await openConnection('192.0.2.1'), 'plain'), '');
  assert.deepEqual(target.refused, ['address']);
  assert.equal(await ask(await openConnection('192.0.2.2'), 'plain'), '192.0.2.2');
  first.destroy();
});

test('connections of the balancer without a complete header are limited, and close with the server', async () => {
  const target = await start('tls', { maxTlsHandshakes: 2 });
  const held = [await open(target.port, balancer), await open(target.port, balancer)];
  const third = await open(target.port, balancer);
  third.resume();
  await once(third, 'close');
  assert.deepEqual(target.refused, ['handshakes']);
  const closed = held.map(socket => once(socket.resume(), 'close'));
  await target[Symbol.asyncDispose]();
  await Promise.all(closed);
});

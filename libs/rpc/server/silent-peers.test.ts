import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { createMetrics } from '@binnacle/telemetry';
import { createPki, loadTls } from '@binnacle/tls';
import type { TransportSecurity } from '../protocol/transport-security.ts';
import { startRpcServer } from './start-rpc-server.ts';

let directory = '';
let security: TransportSecurity;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-peers-'));
  const pki = await createPki(directory, { services: ['peer'] });
  security = { tls: await loadTls(pki.serviceDirectory('peer')) };
});
after(() => rm(directory, { recursive: true }));

const never = 1e9;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; !(await condition()); await pause(5))
    assert.ok(Date.now() < giveUpAt, 'in vain');
}

/** Opens a half-open connection: the client does not close its side when the server does. */
function open(port: number): { socket: Socket; isClosed: () => boolean } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let isClosed = false;
  socket
    .on('error', () => {})
    .on('end', () => (isClosed = true))
    .on('close', () => (isClosed = true));
  return { socket: socket.resume(), isClosed: () => isClosed };
}

async function openConnections(metrics: ReturnType<typeof createMetrics>, name: string): Promise<number> {
  const { body } = await metrics.render();
  const sum = [...body.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'gm'))];
  return sum.reduce((total, [, value]) => total + Number(value), 0);
}

test('unfinished handshakes are closed at their timeout', async () => {
  const metrics = createMetrics({ process: false });
  await using server = await startRpcServer({
    ...security,
    services: [],
    port: 0,
    handshakeTimeoutMs: 50,
    metrics,
  });
  const peers = Array.from({ length: 5 }, () => open(server.port));
  peers[0]?.socket.write(Buffer.from('16030100f8010000f40303', 'hex'));
  await until(() => peers.every(peer => peer.isClosed()));
  assert.equal(await openConnections(metrics, 'binnacle_connections_closed_total'), 5);
});

test('connections beyond the limit are refused, and existing ones are kept', async () => {
  const metrics = createMetrics({ process: false });
  await using server = await startRpcServer({
    ...security,
    services: [],
    port: 0,
    maxConnections: 2,
    metrics,
  });
  const { tls } = security;
  const established = connectTls({ ...tls, port: server.port, host: '127.0.0.1', ALPNProtocols: ['h2'] });
  await new Promise(resolve => established.once('secureConnect', resolve));
  const silent = open(server.port);
  await new Promise(resolve => silent.socket.once('connect', resolve));
  const refused = open(server.port);
  await until(() => refused.isClosed());
  assert.equal(await openConnections(metrics, 'binnacle_connections_refused_total'), 1);
  assert.equal(established.destroyed, false);
  established.destroy();
  silent.socket.destroy();
});

for (const form of ['tls', 'plain'] as const) {
  test(`a server stops in spite of silent peers: ${form}`, async () => {
    const metrics = createMetrics({ process: false });
    const server = await startRpcServer({
      ...(form === 'tls' ? security : { insecure: true }),
      services: [],
      port: 0,
      handshakeTimeoutMs: never,
      // The timeout never expires: the server must stop without waiting for these peers.
      drainTimeoutMs: never,
      metrics,
    });
    const peers = Array.from({ length: 5 }, () => open(server.port));
    await Promise.all(peers.map(({ socket }) => new Promise(resolve => socket.once('connect', resolve))));
    await server.stop();
    await until(() => peers.every(peer => peer.isClosed()));
  });
}

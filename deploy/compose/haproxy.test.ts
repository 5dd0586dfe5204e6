import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { findFreePort, type ManagedProcess, pollUntil, startManagedProcess } from '@binnacle/backends';

const configuration = join(import.meta.dirname, 'haproxy.cfg');
const text = readFileSync(configuration, 'utf8');
const program = ['/usr/sbin/haproxy', '/usr/bin/haproxy'].find(existsSync);
const skip = program === undefined ? 'haproxy is not installed' : false;

test('the configuration of the load balancer is valid', { skip }, () => {
  execFileSync(program!, ['-c', '-f', configuration], { stdio: 'pipe' }); // Skipped without it.
});

test('connections are bounded in all and for each address, and gateways are given up quickly', () => {
  for (const line of [
    /^ {4}timeout connect 1s$/m,
    /^ {4}maxconn \d+$/m,
    /stick-table .*conn_cur/,
    /reject if \{ sc0_conn_cur gt \d+ \}/,
    /reject if \{ sc0_conn_rate gt \d+ \}/,
    /inspect-delay 5s/,
  ])
    assert.match(text, line);
});

/** The configuration with one gateway on this machine, and limits that a test can reach. */
function localText(port: number, gateway: number): string {
  return text
    .replace('maxconn 20000', 'maxconn 200')
    .replace('bind :6443', `bind 127.0.0.1:${port}`)
    .replace('maxconn 10000', 'maxconn 100')
    .replace('sc0_conn_cur gt 1000', 'sc0_conn_cur gt 5')
    .replace('inspect-delay 5s', 'inspect-delay 300ms')
    .replace(/^resolvers[\s\S]*?\n\n/m, '')
    .replace(/^ {4}(option httpchk|http-check|default-server).*\n/gm, '')
    .replace(/server-template.*/, `server gateway-1 127.0.0.1:${gateway}`);
}

let directory = '';
let port = 0;
let gateway: Server;
let balancer: ManagedProcess;
const reached = new Set<Socket>();

before(async () => {
  if (program === undefined) return;
  gateway = createServer(socket => {
    reached.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => reached.delete(socket));
    socket.resume();
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  directory = mkdtempSync(join(tmpdir(), 'binnacle-haproxy-'));
  port = await findFreePort();
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, localText(port, (gateway.address() as AddressInfo).port)); // It listens on TCP.
  balancer = await startManagedProcess({
    name: 'haproxy-1',
    command: program,
    arguments: ['-f', file],
    logFile: join(directory, 'haproxy.log'),
    ready: signal => pollUntil('haproxy to listen', () => opens(), { signal }),
  });
});
after(async () => {
  if (program === undefined) return;
  await balancer.stop();
  for (const socket of reached) socket.destroy();
  gateway.close();
  rmSync(directory, { recursive: true });
});

async function opens(): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  return true;
}

/** Resolves when the balancer has ended the connection. */
const ended = (socket: Socket): Promise<unknown> =>
  new Promise(resolve => {
    socket.on('error', () => {});
    socket.once('close', resolve);
    socket.resume();
  });

test('a client that says nothing, or no TLS, is turned away without reaching a gateway', {
  skip,
}, async () => {
  const silent = connect(port, '127.0.0.1');
  const plain = connect(port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  await Promise.all([ended(silent), ended(plain)]);
  assert.equal(reached.size, 0);
});

test('an address gets no more connections than it may have, and more when it ends some', {
  skip,
}, async () => {
  const open = () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {});
  const held = Array.from({ length: 5 }, open);
  await pollUntil('the allowed connections to reach the gateway', () => reached.size === 5);
  const refused = Array.from({ length: 5 }, open);
  await Promise.all(refused.map(ended));
  assert.equal(reached.size, 5);
  for (const socket of held) socket.destroy();
  await pollUntil('the connections to end', () => reached.size === 0);
  const again = open();
  await pollUntil('a connection to reach the gateway again', () => reached.size === 1);
  again.destroy();
});

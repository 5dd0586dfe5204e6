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
import { parse } from 'yaml';

const configuration = join(import.meta.dirname, 'haproxy.cfg');
const text = readFileSync(configuration, 'utf8');
const program = ['/usr/sbin/haproxy', '/usr/bin/haproxy'].find(existsSync);
const skip = program === undefined ? 'haproxy is not installed' : false;

test('the configuration of the load balancer is valid', { skip }, () => {
  execFileSync(program!, ['-c', '-f', configuration], { stdio: 'pipe' }); // Skipped without it.
});

test('connections are limited in total and for each address, and dead gateways are left quickly', () => {
  for (const line of [
    /^ {4}timeout connect 1s$/m,
    /^ {4}maxconn \d+$/m,
    /stick-table .*conn_cur/,
    /reject if \{ sc0_conn_cur gt \d+ \}/,
    /reject if \{ sc0_conn_rate gt \d+ \}/,
    /inspect-delay 5s/,
    /^ {4}retries 3$/m,
    /^ {4}option redispatch 1$/m,
    /^ {4}option clitcpka$/m,
    /^ {4}option srvtcpka$/m,
  ])
    assert.match(text, line);
  // Connections of a gateway that fails its check are not cut: it may be one that finishes them.
  assert.doesNotMatch(text, /on-marked-down/);
});

test('the container may open as many descriptors as its connections need, and stops in time', () => {
  const { services } = parse(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8'), {
    merge: true,
  }) as Composition;
  const [, most = ''] = /^ {4}maxconn (\d+)$/m.exec(text) ?? [];
  const balancer = services['load-balancer'];
  // Two a connection, and some for listeners, checks and the program itself.
  assert.ok(Number(most) * 2 + 200 <= (balancer?.ulimits?.nofile ?? 0));
  const [, hardStop = ''] = /^ {4}hard-stop-after (\d+)s$/m.exec(text) ?? [];
  assert.ok(Number(hardStop) < Number.parseInt(balancer?.stop_grace_period ?? '', 10));
});

test('a stopping gateway serves until the load balancer has noticed, and its grace period allows for that', () => {
  const { services } = parse(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8'), {
    merge: true,
  }) as Composition;
  const { command = [], stop_grace_period: grace = '' } = services['gateway'] ?? {};
  const readSeconds = (flag: string) =>
    Number(/=(\d+)s$/.exec(command.find(each => each.startsWith(`--${flag}=`)) ?? '')?.[1]);
  const [, interval, fall] = /inter (\d+)ms .*fall (\d+)/.exec(text) ?? [];
  const [, timeout] = /^ {4}timeout check (\d+)s$/m.exec(text) ?? [];
  const seenAfter = Number(fall) * Math.max(Number(interval) / 1000, Number(timeout));
  assert.ok(readSeconds('shutdown-delay-duration') > seenAfter);
  const stopping = readSeconds('shutdown-delay-duration') + readSeconds('shutdown-drain-duration');
  assert.ok(stopping < Number.parseInt(grace, 10));
});

interface Composition {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        readonly stop_grace_period?: string;
        readonly ulimits?: { readonly nofile: number };
      }
    >
  >;
}

/** Ports of one balancer on this machine. */
interface LocalPorts {
  readonly api: number;
  readonly health: number;
  readonly gateways: readonly number[];
}

/** The configuration with gateways on this machine that are not checked, and limits that a test can reach. */
function localText({ api, health, gateways }: LocalPorts): string {
  return text
    .replace('maxconn 8000', 'maxconn 200')
    .replace('bind :6443', `bind 127.0.0.1:${api}`)
    .replace('maxconn 8000', 'maxconn 100')
    .replace('sc0_conn_cur gt 1000', 'sc0_conn_cur gt 5')
    .replace('inspect-delay 5s', 'inspect-delay 300ms')
    .replace(/^resolvers[\s\S]*?\n\n/m, '')
    .replace(/^ {4}(option httpchk|http-check|default-server check).*\n/gm, '')
    .replace('bind 127.0.0.1:8404', `bind 127.0.0.1:${health}`)
    .replace(
      /server-template.*/,
      gateways.map((gateway, index) => `server gateway-${index} 127.0.0.1:${gateway}`).join('\n    '),
    );
}

let directory = '';
let port = 0;
let gateway: Server;
let balancer: ManagedProcess;
const reached = new Set<Socket>();
/** The first bytes of each connection. */
const beginnings: Buffer[] = [];

before(async () => {
  if (program === undefined) return;
  gateway = createServer(socket => {
    reached.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => reached.delete(socket));
    socket.once('data', data => beginnings.push(data));
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  directory = mkdtempSync(join(tmpdir(), 'binnacle-haproxy-'));
  port = await findFreePort();
  const live = (gateway.address() as AddressInfo).port; // It listens on TCP.
  balancer = await startBalancer({ api: port, health: await findFreePort(), gateways: [live] });
});

async function startBalancer(ports: LocalPorts): Promise<ManagedProcess> {
  const name = `haproxy-${ports.api}`;
  const file = join(directory, `${name}.cfg`);
  writeFileSync(file, localText(ports));
  return startManagedProcess({
    name,
    command: program!, // Tests are skipped without it.
    arguments: ['-f', file],
    logFile: join(directory, `${name}.log`),
    ready: signal => pollUntil('haproxy to listen', () => opens(ports.api), { signal }),
  });
}

after(async () => {
  if (program === undefined) return;
  await balancer.stop();
  for (const socket of reached) socket.destroy();
  gateway.close();
  rmSync(directory, { recursive: true });
});

async function opens(at: number): Promise<boolean> {
  const socket = connect(at, '127.0.0.1');
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

test('a client that sends nothing, or no TLS, is disconnected without reaching a gateway', {
  skip,
}, async () => {
  const silent = connect(port, '127.0.0.1');
  const plain = connect(port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  await Promise.all([ended(silent), ended(plain)]);
  assert.equal(reached.size, 0);
});

test('an address is limited in connections, and may open more when it closes some', {
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
  const repeated = open();
  await pollUntil('a connection to reach the gateway again', () => reached.size === 1);
  repeated.destroy();
});

test('a gateway learns the address of the client from the load balancer', { skip }, async () => {
  beginnings.length = 0;
  const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {});
  await pollUntil('the connection to reach the gateway', () => beginnings.length === 1);
  client.destroy();
  const [header] = beginnings;
  // The signature of the protocol, a connection over TCP and IPv4, and from where.
  assert.equal(header?.subarray(0, 14).toString('hex'), '0d0a0d0a000d0a515549540a2111');
  assert.deepEqual([...(header?.subarray(16, 20) ?? [])], [127, 0, 0, 1]);
});

test('connections go to another gateway when one died and the health check has not noticed yet', {
  skip,
}, async () => {
  const live = (gateway.address() as AddressInfo).port; // It listens on TCP.
  const api = await findFreePort();
  const gateways = [await findFreePort(), live];
  const second = await startBalancer({ api, health: await findFreePort(), gateways });
  const clients: Socket[] = [];
  try {
    for (let count = 1; count <= 4; count++) {
      beginnings.length = 0;
      clients.push(
        connectTls({ port: api, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {}),
      );
      await pollUntil('the connection to reach the gateway that is left', () => beginnings.length === 1);
    }
  } finally {
    for (const client of clients) client.destroy();
    await second.stop();
  }
});

test('the load balancer is healthy while it reaches a gateway', { skip }, async () => {
  const api = await findFreePort();
  const health = await findFreePort();
  const second = await startBalancer({ api, health, gateways: [] });
  try {
    assert.equal((await fetch(`http://127.0.0.1:${health}/healthz`)).status, 503);
  } finally {
    await second.stop();
  }
});

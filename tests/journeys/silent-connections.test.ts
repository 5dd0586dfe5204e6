import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type BundledProgram, bundledProgram, currentBundles } from '@binnacle/compose/testing';
import { createPki, loadTls } from '@binnacle/tls';
import { until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const many = 50;
/** How often a test looks at the sockets of a process: the system writes all of them down for each look. */
const lookMs = 250;
/** In `/proc/net/tcp`; 0 is a socket that no process has open. */
const inodeColumn = 9;

interface ServerProcess extends Disposable {
  readonly port: number;
  readonly child: ChildProcess;
  readonly admin: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Those of these sockets for whose other ends it has a descriptor. */
  held(sockets: readonly Socket[]): Promise<readonly Socket[]>;
}

/** Starts a process whose first line says where it serves; with the certificates in a folder. */
async function startProcess(
  name: BundledProgram,
  flags: readonly string[],
  pki: string,
): Promise<ServerProcess> {
  const program = bundledProgram(await currentBundles(), name);
  const child = spawn(process.execPath, [program, '--log-level=error', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', text => {
    said += text;
  });
  await until('the server is ready', () => said.includes('\n') || child.exitCode !== null);
  const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
  const { ca, cert, key } = await loadTls(join(pki, 'clients/admin'));
  return {
    port,
    child,
    admin: { ca: String(ca), cert: String(cert), key: String(key) },
    held: sockets => heldBy(child.pid, port, sockets),
    // A test that failed leaves no process behind.
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** Of the TCP sockets that the system lists, those on a port with these peers that a process has not closed. */
async function heldBy(
  pid: number | undefined,
  port: number,
  sockets: readonly Socket[],
): Promise<readonly Socket[]> {
  const lines = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).trim().split('\n').slice(1);
  const parsePort = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16);
  const held = lines
    .map(line => line.trim().split(/\s+/))
    .filter(columns => parsePort(columns[1]) === port && columns[inodeColumn] !== '0')
    .map(columns => parsePort(columns[2]));
  const peers = new Set(held);
  return sockets.filter(({ localPort }) => localPort !== undefined && peers.has(localPort));
}

function startStandalone(directory: string): Promise<ServerProcess> {
  return startProcess('standalone', ['--port=0', `--data-dir=${directory}`], join(directory, 'pki'));
}

/** A gateway as a service of its own, whose services do not answer: to strangers that makes no difference. */
async function startGateway(directory: string): Promise<ServerProcess> {
  const clients = [{ name: 'admin', commonName: 'admin', organizations: ['system:masters'] }];
  const { serverDirectory, caFile } = await createPki(directory, { clients });
  const nobody = '127.0.0.1:1';
  const flags = [
    ...['--insecure', '--secure-port=0', '--operations-port=0', `--client-ca-file=${caFile}`],
    ...[`--tls-cert-file=${serverDirectory}/tls.crt`, `--tls-private-key-file=${serverDirectory}/tls.key`],
    ...['storage', 'admission', 'token-review'].map(service => `--${service}-addresses=${nobody}`),
  ];
  return await startProcess('gateway', flags, directory);
}

interface Silence {
  readonly what: string;
  /** Sent below TLS; undefined: `text` is sent over it. */
  readonly raw?: Buffer;
  readonly text?: string;
  readonly isDeaf?: boolean;
}

const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const watch = '/api/v1/namespaces?watch=true';
const strangers: Silence[] = [
  { what: 'nothing', raw: Buffer.alloc(0) },
  { what: 'half a client hello', raw: Buffer.from('16030100f8010000f40303', 'hex') },
  { what: 'no request', text: '' },
  { what: 'half the headers', text: 'GET /livez HTTP/1.1\r\nHost: x\r\n' },
];
const users: Silence[] = [
  { what: 'no body', text: `${post('/api/v1/namespaces')}Content-Length: 99\r\n\r\n` },
  { what: 'nothing after an answer', text: 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n' },
  {
    what: 'answers that are not read',
    text: 'GET /openapi/v2 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40),
    isDeaf: true,
  },
  { what: 'a watch that is not read', text: `GET ${watch} HTTP/1.1\r\nHost: x\r\n\r\n`, isDeaf: true },
  {
    what: 'a WebSocket that is not read',
    text: [
      `GET ${watch} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade`,
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    ].join('\r\n'),
    isDeaf: true,
  },
];

/** Resolves when the silence has begun. */
async function open({ port, admin }: ServerProcess, silence: Silence): Promise<Socket> {
  const { raw, text = '', isDeaf = false } = silence;
  // Half open: the client does not close its side because the server did.
  const how = { port, host: '127.0.0.1', allowHalfOpen: true, ...admin };
  const socket = raw === undefined ? connectTls(how) : connect(how);
  socket.on('error', () => {});
  await once(socket, raw === undefined ? 'secureConnect' : 'connect');
  socket.write(raw ?? text);
  if (isDeaf) socket.pause();
  else socket.resume();
  return socket;
}

const forms: readonly {
  readonly name: string;
  readonly start: (directory: string) => Promise<ServerProcess>;
  readonly silences: readonly Silence[];
}[] = [
  { name: 'standalone', start: startStandalone, silences: [...strangers, ...users] },
  { name: 'a gateway of its own', start: startGateway, silences: strangers },
];

for (const { name, start, silences } of forms) {
  test(`${name}: silent connections leave no open descriptors, and do not delay the stop`, async () => {
    assert.ok(existsSync('/proc/net/tcp'), 'descriptors are counted where the system shows them');
    await using directory = await createTemporaryDirectory();
    using server = await start(directory.path);
    const sockets: Socket[] = [];
    for (const silence of strangers) {
      const opened = await Promise.all(Array.from({ length: many }, () => open(server, silence)));
      sockets.push(...opened);
      // A client is connected before the server has accepted it; the first can be closed before the last one is accepted.
      const seen = new Set<Socket>();
      await until(
        `the server has had them: ${silence.what}`,
        async () => {
          for (const socket of await server.held(opened)) seen.add(socket);
          return seen.size === many;
        },
        lookMs,
      );
    }
    await until('the descriptors are back', async () => (await server.held(sockets)).length === 0, lookMs);
    for (const silence of silences) sockets.push(await open(server, silence));
    const exit = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    for (const socket of sockets) socket.destroy();
  });
}

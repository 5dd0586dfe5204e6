import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { until } from './api-server.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

const main = join(import.meta.dirname, '../../services/standalone/main.ts');
const many = 100;

interface ServerProcess {
  readonly port: number;
  readonly child: ChildProcess;
  readonly admin: { readonly ca: string; readonly cert: string; readonly key: string };
  descriptors(): Promise<number>;
}

/** A server with the flags of its own start, as a process of its own. */
async function startProcess(directory: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, '--port=0', `--data-dir=${directory}`, '--log-level=error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', text => {
    said += text;
  });
  await until('the server is ready', () => said.includes('\n') || child.exitCode !== null);
  const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
  const read = (name: string) => readFile(join(directory, 'pki', name), 'utf8');
  return {
    port,
    child,
    admin: {
      ca: await read('ca.crt'),
      cert: await read('clients/admin/tls.crt'),
      key: await read('clients/admin/tls.key'),
    },
    descriptors: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
  };
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

test('silent connections leave no descriptors behind, and the server stops in spite of every kind of them', async () => {
  assert.ok(existsSync('/proc/self/fd'), 'descriptors are counted where the system shows them');
  await using directory = await createTemporaryDirectory();
  const server = await startProcess(directory.path);
  const before = await server.descriptors();
  const sockets: Socket[] = [];
  for (const silence of strangers)
    sockets.push(...(await Promise.all(Array.from({ length: many }, () => open(server, silence)))));
  await until('the descriptors are back', async () => (await server.descriptors()) <= before);
  for (const silence of [...strangers, ...users]) sockets.push(await open(server, silence));
  const exit = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  const [code, signal] = await exit;
  assert.deepEqual([code, signal], [0, null]);
  for (const socket of sockets) socket.destroy();
});

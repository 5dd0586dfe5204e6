import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { listen } from '@binnacle/connections';
import { readBody } from '../request/read-body.ts';
import { createServer } from './create-server.ts';

let server: Server;
let port = 0;

before(async () => {
  ({ server } = createServer({
    tls: undefined,
    // Answers with the length of the body.
    handle: async exchange => {
      const body = await readBody(exchange, exchange.call);
      exchange.response.end(String(body.length));
    },
    isStopping: () => false,
    requestTimeout: 60,
    connections: { requestHeaderTimeout: 1000 },
    metrics: { tlsHandshakeFailed: () => {} },
    clock: Date.now,
  }));
  port = await listen(server, { host: '127.0.0.1', port: 0 });
});
after(() => {
  server.close();
  server.closeAllConnections();
});

interface Conversation {
  readonly socket: Socket;
  /** Everything that the server said, once it has closed the connection. */
  readonly ended: Promise<string>;
  heard(): string;
}

function open(text: string): Conversation {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  const ended = new Promise<string>(resolve => {
    socket.on('data', data => {
      said += data;
    });
    // Input that the server has not read when it closes resets the connection.
    socket.on('error', () => {}).on('close', () => resolve(said));
  });
  socket.write(text);
  return { socket, ended, heard: () => said };
}

function assertStatus(answer: string, code: number, reason: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1.1 ${code} `));
  assert.match(head, /^Content-Type: application\/json$/im);
  assert.match(head, /^Connection: close$/im);
  const status = JSON.parse(body);
  assert.deepEqual([status.kind, status.code, status.reason], ['Status', code, reason]);
}

async function assertStillServes(): Promise<void> {
  const text = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
  assert.match(await open(text).ended, /^HTTP\/1.1 200 OK\r\n.*\r\n3$/s);
}

const large = 'x'.repeat(70_000);

test('too large headers and URLs are answered with a Status', async () => {
  for (const request of [
    `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${large}\r\n\r\n`,
    `GET /${large} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ]) {
    assertStatus(await open(request).ended, 431, 'BadRequest');
    await assertStillServes();
  }
});

test('invalid HTTP is answered with a Status', async () => {
  assertStatus(await open('GET / HTTP/1.1\r\nno colon\r\n\r\n').ended, 400, 'BadRequest');
  assertStatus(await open('EHLO x\r\n\r\n').ended, 405, 'MethodNotAllowed');
  await assertStillServes();
});

const unserved = {
  'that says it is of HTTP/0.9': 'GET / HTTP/0.9\r\nHost: x\r\n\r\n',
  'of HTTP/1.1 that says it is of HTTP/2': 'GET / HTTP/2.0\r\nHost: x\r\n\r\n',
  'of HTTP/1.1 without a host': 'GET / HTTP/1.1\r\n\r\n',
  'with two hosts': 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'with one host twice': 'GET / HTTP/1.0\r\nHost: x\r\nhost: x\r\n\r\n',
  'with a host that is none': 'GET / HTTP/1.1\r\nHost: x/y z\r\n\r\n',
  'for a WebSocket, with two hosts':
    'GET /?watch=1 HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
};
for (const [what, request] of Object.entries(unserved))
  test(`a request ${what} is answered with a Status, and the connection is closed`, async () => {
    assertStatus(await open(request).ended, 400, 'BadRequest');
    await assertStillServes();
  });

test('a request with two Host headers does not cut off the previous answer', async () => {
  const good = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab';
  const said = await open(`${good}GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`).ended;
  assert.match(said, /^HTTP\/1.1 200 OK\r\n.*\r\n2HTTP\/1.1 400 /s);
});

test('a request over HTTP/1.0 needs no Host header', async () => {
  const text = 'POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc';
  assert.match(await open(text).ended, /^HTTP\/1.1 200 OK\r\n.*\r\n3$/s);
});

test('headers that do not arrive in time are answered with a Status, and the connection is closed', async () => {
  assertStatus(await open('GET / HTTP/1.1\r\nHost: x\r\n').ended, 408, 'Timeout');
  await assertStillServes();
});

test('headers that arrive byte by byte have the same timeout', async () => {
  const slow = open('GET / HTTP/1.1\r\nX-Slow: ');
  const drip = setInterval(() => slow.socket.write('x'), 5);
  assertStatus(await slow.ended, 408, 'Timeout');
  clearInterval(drip);
});

test('pipelined requests are answered in order', async () => {
  const one = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na';
  const last = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab';
  const answers = (await open(one + one + last).ended).match(/\r\n\r\n\d/g);
  assert.deepEqual(answers, ['\r\n\r\n1', '\r\n\r\n1', '\r\n\r\n2']);
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type ConnectionGuard, closeServer, listen } from '@binnacle/connections';
import { createPki, loadTls } from '@binnacle/tls';
import { readBody } from '../request/read-body.ts';
import { createServer } from './create-server.ts';
import type { ServingTls } from './secure-context-options.ts';

/** First lines of requests that say no version: none of them waits for headers, which never come. */

const never = 600_000;
/** More than the buffers of a connection take. */
const longAnswer = 'a'.repeat(32_000_000);
let onLongAnswer = () => {};
const stack = new AsyncDisposableStack();
const ports = { tls: 0, plain: 0 };
let tls: ServingTls;

before(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-lines-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const pki = await createPki(directory);
  tls = { ...(await loadTls(pki.serverDirectory)), clientCa: await readFile(pki.caFile) };
  ports.tls = await start(tls);
  ports.plain = await start(undefined);
});
after(() => stack.disposeAsync());

async function start(tls: ServingTls | undefined): Promise<number> {
  const { server, guard } = createServer({
    tls,
    // Answers with the length of the body.
    handle: async ({ request, response, call }) => {
      const { length } = await readBody({ request, response }, call);
      response.end(request.url === '/long' ? longAnswer : String(length));
      if (request.url === '/long') onLongAnswer();
    },
    isStopping: () => false,
    requestTimeout: never,
    connections: { requestHeaderTimeout: never, keepAliveTimeout: never },
    metrics: { tlsHandshakeFailed: () => {} },
    clock: Date.now,
  });
  const closing = (target: typeof server, by: ConnectionGuard) => closeServer(target, by, 0);
  stack.defer(() => closing(server, guard));
  return await listen(server, { host: '127.0.0.1', port: 0 });
}

function open(form: 'tls' | 'plain'): { readonly socket: Socket; readonly ended: Promise<string> } {
  const to = { port: ports[form], host: '127.0.0.1' };
  const socket =
    form === 'plain'
      ? connectTcp(to)
      : connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  let said = '';
  const ended = new Promise<string>(resolve => {
    socket.on('data', data => {
      said += data;
    });
    socket.on('error', () => {}).on('close', () => resolve(said));
  });
  return { socket, ended };
}

/** Writes each part by itself: none of them comes with another one. */
async function writeInParts(socket: Socket, parts: Iterable<string>): Promise<void> {
  for (const part of parts) {
    await new Promise(resolve => socket.write(part, resolve));
    await new Promise(resolve => setTimeout(resolve, 1));
  }
}

const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';

const refused = [
  ['of HTTP/0.9', 'GET /\r\n\r\n'],
  ['that is no more than a line without a version', 'GET /\r\n'],
  ['whose line without a version ends with a newline alone', 'GET /\n'],
  ['whose line without a version comes after empty lines', '\r\n\r\nGET /api?a=b\r\n'],
  ['whose line without a version has headers after it', 'GET /\r\nHost: x\r\n'],
  ['whose line ends where its version should be', 'GET / \r\n'],
  ['whose line ends after the method', 'GET\r\n'],
  ['whose line ends after the method and a space', 'GET \r\n'],
  ['whose line ends after the method, with a newline alone', 'GET\n'],
] as const;

for (const form of ['tls', 'plain'] as const)
  suite(`over ${form}`, () => {
    for (const [what, text] of refused)
      for (const [how, parts] of [
        ['at once', [text]],
        ['letter by letter', text],
      ] as const)
        test(`a request ${what}, ${how}, is 400`, async () => {
          const { socket, ended } = open(form);
          await writeInParts(socket, parts);
          const [head = '', body = ''] = (await ended).split('\r\n\r\n');
          assert.match(head, /^HTTP\/1.1 400 Bad Request\r\n/);
          assert.match(head, /^Connection: close$/im);
          const { kind, code, reason } = JSON.parse(body);
          assert.deepEqual([kind, code, reason], ['Status', 400, 'BadRequest']);
        });

    test('an unknown method is 405', async () => {
      const { socket, ended } = open(form);
      await writeInParts(socket, ['GETX / HTTP/1.1\r\n']);
      assert.match(await ended, /^HTTP\/1.1 405 /);
    });

    for (const [how, length] of [
      ['at once', 5],
      ['at length', 300_000],
    ] as const)
      test(`an unknown method is 405, whatever follows it ${how}`, async () => {
        const { socket, ended } = open(form);
        await new Promise(resolve => socket.once(form === 'tls' ? 'secureConnect' : 'connect', resolve));
        // Records of TLS that come together are read one by one, and each is a fault to the parser.
        socket.write('GETX / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
        for (let sent = 0; sent < length; sent += 5) socket.write('0\r\n\r\n');
        const [head = '', body = ''] = (await ended).split('\r\n\r\n');
        assert.match(head, /^HTTP\/1.1 405 /);
        assert.equal(JSON.parse(body).reason, 'MethodNotAllowed');
      });

    test('an unknown method is 405, after an answer in progress', async () => {
      const { socket, ended } = open(form);
      await new Promise(resolve => socket.once(form === 'tls' ? 'secureConnect' : 'connect', resolve));
      // The answer waits for its reader, and so does what refuses the next request.
      socket.pause();
      const answered = new Promise<void>(resolve => {
        onLongAnswer = resolve;
      });
      socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
      await answered;
      await writeInParts(socket, ['GETX / HTTP/1.1\r\nHost: x\r\n\r\n']);
      await new Promise(resolve => setTimeout(resolve, 50));
      socket.resume();
      const said = await ended;
      assert.equal(said.match(/a{1000}/g)?.length, longAnswer.length / 1000);
      assert.match(said.slice(said.lastIndexOf('aaaa')), /^aaaaHTTP\/1.1 405 .*"MethodNotAllowed"/s);
    });

    for (const [how, parts] of [
      ['at once', [post]],
      ['after empty lines', [`\r\n\r\n${post}`]],
      ['letter by letter', post],
      ['letter by letter, after empty lines', `\r\n\r\n${post}`],
      ['in lines', post.split(/(?<=\n)/)],
      ['as the second one of its connection', ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', post]],
    ] as const)
      test(`a request with a version number is served, ${how}`, async () => {
        const { socket, ended } = open(form);
        await writeInParts(socket, parts);
        assert.match(await ended, /HTTP\/1.1 200 OK\r\n.*\r\n3$/s);
      });
  });

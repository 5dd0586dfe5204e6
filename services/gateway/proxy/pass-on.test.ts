import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as request11 } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import {
  ask,
  createTestTls,
  type Http2Target,
  startHttp2Target,
} from '../server/test-drivers/http2-target.ts';
import { passOn } from './pass-on.ts';

const tls = await createTestTls();

/** A pod that hears bytes as they are and answers, once it has heard `last`, with bytes as they are. */
async function startPod({ last, answer }: { last: string; answer: string }) {
  const heard = { text: '' };
  const server = createTcpServer(socket => {
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', part => {
      heard.text += String(part);
      if (heard.text.includes(last)) socket.end(answer);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server over TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return { heard, port, [Symbol.asyncDispose]: async () => void server.close() };
}

function startProxy(port: number): Promise<Http2Target> {
  const target = { scheme: 'http', address: '127.0.0.1', port } as const;
  const path = { before: '/proxy', rest: '/a', query: '' };
  return startHttp2Target(tls, exchange => passOn(exchange, { target, path, timeoutMs: 60_000 }));
}

async function ask11(port: number, method: string, headers: Record<string, string>, body: string) {
  const address = { port, host: '127.0.0.1', rejectUnauthorized: false, agent: false };
  const outgoing = request11({ ...address, method, headers });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  return Number(answer.statusCode);
}

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: pod\r\n\r\n';
const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n`;
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const ways = {
  'over HTTP/1.1': (port: number, method: string) =>
    ask11(port, method, { 'Transfer-Encoding': 'chunked' }, smuggled),
  'over HTTP/1.1 with a length for this connection alone': (port: number, method: string) =>
    ask11(
      port,
      method,
      { 'Content-Length': `${smuggled.length}`, Connection: 'close, content-length' },
      smuggled,
    ),
  'over HTTP/2': async (_port: number, method: string, target: Http2Target) =>
    (await ask(target.connect(), { ':method': method, ':path': '/' }, smuggled)).status,
};
for (const [way, send] of Object.entries(ways))
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'POST'])
    test(`the body of a ${method} ${way} cannot become a second request behind the proxy`, async () => {
      await using pod = await startPod({ last: smuggled, answer });
      await using target = await startProxy(pod.port);
      assert.equal(await send(target.port, method, target), 200);
      const [head = '', body] = pod.heard.text.split(/\r\n\r\n(.*)/s);
      assert.match(head, /^transfer-encoding: chunked$/im);
      assert.ok(body?.startsWith(chunk), JSON.stringify(body));
    });

const odd = {
  'a status that HTTP does not have': { head: 'HTTP/1.1 777 Odd', status: 502 },
  'headers for this connection alone': {
    head: 'HTTP/1.1 201 Made\r\nHTTP2-Settings: x\r\nTE: x',
    status: 201,
  },
};
for (const [what, { head, status }] of Object.entries(odd))
  test(`${what} from behind the proxy do not break the answer`, async () => {
    await using pod = await startPod({
      last: '\r\n\r\n',
      answer: `${head}\r\nX-Kept: yes\r\nContent-Length: 4\r\n\r\nbody`,
    });
    await using target = await startProxy(pod.port);
    const heard = await ask(target.connect(), { ':path': '/' });
    assert.deepEqual([heard.status, heard.headers['x-kept'], heard.text], [status, 'yes', 'body']);
    assert.equal(await ask11(target.port, 'GET', {}, ''), status);
  });

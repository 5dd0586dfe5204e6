import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { createCallContext, OpenCall, onCallEnd } from '@binnacle/rpc';
import { StatusError } from '@binnacle/status-errors';
import { maxBodyBytes, readBody } from './read-body.ts';

/** Reads the body of one request with a server of its own; `send` writes it. */
async function readSent(send: (request: ReturnType<typeof httpRequest>) => void, timeoutMs = 10_000) {
  const server = createServer();
  const outcome = new Promise<Buffer>((resolve, reject) => {
    server.on('request', (request, response) => {
      const call = createCallContext({ timeoutMs });
      readBody({ request, response }, call)
        .then(resolve, reject)
        .finally(() => {
          call[Symbol.dispose]();
          response.end();
        });
    });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const request = httpRequest({ host: '127.0.0.1', port, method: 'POST' });
  request.on('error', () => {});
  send(request);
  try {
    return await outcome;
  } finally {
    request.destroy();
    server.close();
    server.closeAllConnections();
  }
}

const hasCode = (code: number) => (error: unknown) => error instanceof StatusError && error.code === code;

test('a body is read completely', async () => {
  const body = await readSent(request => {
    request.write('one ');
    request.end('two');
  });
  assert.equal(body.toString(), 'one two');
  assert.equal((await readSent(request => request.end())).length, 0);
});

test('a body of exactly the limit is accepted', async () => {
  assert.equal((await readSent(request => request.end(Buffer.alloc(maxBodyBytes)))).length, maxBodyBytes);
});

test('a longer body is refused, with or without a Content-Length', async () => {
  const large = Buffer.alloc(maxBodyBytes + 1);
  await assert.rejects(
    readSent(request => request.end(large)),
    hasCode(413),
  );
  const unannounced = readSent(request => {
    request.setHeader('Transfer-Encoding', 'chunked');
    request.end(large);
  });
  await assert.rejects(unannounced, hasCode(413));
});

test('a body that does not arrive in time is refused', async () => {
  await assert.rejects(
    readSent(request => request.write('begun'), 20),
    hasCode(504),
  );
});

test('a connection closed in the middle of a body ends the read', async () => {
  const cut = readSent(request => {
    request.setHeader('Content-Length', '100');
    request.write('begun', () => request.destroy());
  });
  await assert.rejects(cut, hasCode(504));
});

test('the answer to a request whose body is late can announce that the connection closes', async () => {
  const request = Object.assign(new EventEmitter(), { headers: { 'content-length': '9' } });
  const response = { shouldKeepAlive: true };
  const call = new OpenCall(undefined);
  let kept: boolean | undefined;
  // As the pipeline does, before the body is read.
  onCallEnd(call, () => {
    kept = response.shouldKeepAlive;
  });
  const source = { request, response } as unknown as Parameters<typeof readBody>[0]; // no more of them is used
  const reading = readBody(source, call);
  call.expire();
  await assert.rejects(reading, hasCode(504));
  assert.equal(kept, false);
});

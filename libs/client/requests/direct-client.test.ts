import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { createCredentialSource } from '../credentials/create-credential-source.ts';
import { createDirectClient, type DirectClientOptions, ServerUnreachable } from './direct-client.ts';

/** Starts an HTTP server with the given listener. */
async function startServer(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A TCP server.
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function createTestClient(url: string, options: Partial<DirectClientOptions> = {}) {
  const configuration = { servers: [url], token: 'secret-token' };
  return createDirectClient({
    configuration,
    credentialSource: createCredentialSource(configuration),
    userAgent: 'test/1',
    timeoutMs: 0,
    signal: new AbortController().signal,
    now: () => 0,
    ...options,
  });
}

test('a request has credentials, impersonation headers, its body, and the base path of the server', async () => {
  const seen: unknown[] = [];
  await using server = await startServer((request, response) => {
    const { method, url, headers } = request;
    seen.push(method, url, headers['authorization'], headers['impersonate-group'], headers['content-type']);
    request.on('data', part => seen.push(String(part))).on('end', () => response.end('{"a":1}'));
  });
  using client = createTestClient(`${server.url}/prefix/`, { headers: { 'impersonate-group': ['a', 'b'] } });
  const request = {
    method: 'PATCH',
    path: '/api?x=1',
    body: { b: 2 },
    contentType: 'application/x',
  } as const;
  assert.deepEqual(await client.json(request), { a: 1 });
  assert.deepEqual(seen, [
    'PATCH',
    '/prefix/api?x=1',
    'Bearer secret-token',
    'a, b',
    'application/x',
    '{"b":2}',
  ]);
});

test('requests are reported to the log without credentials, and warnings with their texts', async () => {
  await using server = await startServer((_request, response) => {
    response.setHeader('Warning', ['299 - "old \\"type\\""', '199 - "other"']);
    response.setHeader('Set-Cookie', ['secret=1']);
    response.setHeader('Proxy-Authorization', 'Basic secret');
    response.end('plain');
  });
  const notes: unknown[] = [];
  const warnings: string[] = [];
  using client = createTestClient(server.url, {
    onExchange: note => notes.push(note),
    onWarning: text => warnings.push(text),
    headers: { 'Proxy-Authorization': 'Basic secret', 'impersonate-user': 'shown' },
  });
  assert.equal(await client.text({ method: 'GET', path: '/metrics' }), 'plain');
  assert.deepEqual(warnings, ['old "type"']);
  assert.equal(notes.length, 1);
  assert.match(JSON.stringify(notes), /"impersonate-user":"shown"/);
  assert.doesNotMatch(JSON.stringify(notes), /secret/);
});

test('a failed answer is thrown as its Status, or with its code if it has none', async () => {
  await using server = await startServer((request, response) => {
    response.statusCode = 404;
    response.end(
      request.url === '/a' ? '{"kind":"Status","reason":"NotFound","message":"gone","code":404}' : '<html>',
    );
  });
  using client = createTestClient(server.url);
  await assert.rejects(client.json({ method: 'GET', path: '/a' }), { reason: 'NotFound', message: 'gone' });
  await assert.rejects(
    client.json({ method: 'GET', path: '/b' }),
    error => error instanceof StatusError && error.code === 404,
  );
});

test('an unreachable server is named with the error code of the system', async () => {
  const server = await startServer(() => {});
  await server[Symbol.asyncDispose]();
  using client = createTestClient(server.url);
  await assert.rejects(
    client.json({ method: 'GET', path: '/' }),
    error =>
      error instanceof ServerUnreachable &&
      error.code === 'ECONNREFUSED' &&
      `http://${error.host}` === server.url,
  );
});

test('a request fails at its timeout, before or in the middle of the answer', async () => {
  await using server = await startServer((request, response) => {
    if (request.url === '/begun') response.write('{');
  });
  using client = createTestClient(server.url, { timeoutMs: 20 });
  for (const path of ['/never', '/begun'])
    await assert.rejects(client.json({ method: 'GET', path }), ServerUnreachable);
});

test('a server that sends nothing is given up after the idle timeout', async () => {
  await using server = await startServer(() => {});
  using client = createTestClient(server.url, { idleTimeoutMs: 40 });
  await assert.rejects(client.json({ method: 'GET', path: '/' }), ServerUnreachable);
});

test('a watch has no idle timeout', async () => {
  let idleTimeoutMs = 20;
  await using server = await startServer((_request, response) => {
    response.flushHeaders();
    const end = () => response.end('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
    setTimeout(end, 5 * idleTimeoutMs);
  });
  let hasBegun = false;
  const names: string[] = [];
  const read = async () => {
    const onExchange = () => {
      hasBegun = true;
    };
    using client = createTestClient(server.url, { idleTimeoutMs, onExchange });
    for await (const { object } of client.watch({ method: 'GET', path: '/watch' }))
      names.push(object.metadata.name ?? '');
  };
  // The timeout applies until the watch has begun; a slow machine may need a longer one.
  for (; !hasBegun; idleTimeoutMs *= 2)
    await read().catch(error => {
      if (hasBegun || !(error instanceof ServerUnreachable)) throw error;
    });
  assert.deepEqual(names, ['a']);
});

test('a password in the address of a server is not reported', async () => {
  await using server = await startServer((_request, response) => void response.end('{}'));
  const notes: unknown[] = [];
  using client = createTestClient(server.url.replace('//', '//user:hidden@'), {
    onExchange: note => notes.push(note),
  });
  await client.json({ method: 'GET', path: '/a?b=c' });
  assert.match(JSON.stringify(notes), /\/a\?b=c"/);
  assert.doesNotMatch(JSON.stringify(notes), /hidden/);
});

test('an answer that is not JSON, or incomplete, is a failure of the server', async () => {
  await using server = await startServer((request, response) => {
    if (request.url === '/text') return void response.end('hello');
    response.write('{');
    setImmediate(() => response.destroy());
  });
  using client = createTestClient(server.url);
  for (const path of ['/text', '/broken'])
    await assert.rejects(client.json({ method: 'GET', path }), ServerUnreachable);
});

test('a watch returns its messages, and fails when the connection breaks', async () => {
  await using server = await startServer((request, response) => {
    response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
    if (request.url === '/whole') response.end();
    else setImmediate(() => response.destroy());
  });
  using client = createTestClient(server.url);
  const names: string[] = [];
  const read = async (path: string) => {
    for await (const { object } of client.watch({ method: 'GET', path }))
      names.push(object.metadata.name ?? '');
  };
  await read('/whole');
  await assert.rejects(read('/broken'), ServerUnreachable);
  assert.deepEqual(names, ['a', 'a']);
});

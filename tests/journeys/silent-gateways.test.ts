import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiClient, createApiClient, Informer } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { findPort } from './setup/find-port.ts';

let directory = '';
let pki: Pki;
let tls: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer };
const stack = new AsyncDisposableStack();

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-silent-'));
  pki = await createPki(directory, { clients: [] });
  tls = await loadTls(pki.serverDirectory);
});
after(async () => {
  await stack.disposeAsync();
  await rm(directory, { recursive: true });
});

type Listener = (request: Http2ServerRequest, response: Http2ServerResponse, body: string) => void;

/** A gateway behind a wire that can pass on nothing more, as where its process is frozen: connections stay, and new ones are taken. */
class Gateway {
  readonly requests: string[] = [];
  url = '';
  isFrozen = false;
  readonly #wires = new Set<readonly [Socket, Socket]>();

  async start(listener: Listener): Promise<this> {
    const server = createSecureServer(tls, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.requests.push(`${request.method} ${request.url}`);
        listener(request, response, Buffer.concat(parts).toString());
      });
    });
    const port = await listen(server);
    const wire = createServer(near => {
      const far = connectTcp(port, '127.0.0.1');
      const both = [near, far] as const;
      this.#wires.add(both);
      for (const socket of both) socket.on('error', () => {});
      near.once('close', () => {
        far.destroy();
        this.#wires.delete(both);
      });
      if (this.isFrozen) return;
      near.pipe(far).pipe(near);
    });
    this.url = `https://127.0.0.1:${await listen(wire)}`;
    stack.defer(() => {
      for (const both of this.#wires) for (const socket of both) socket.destroy();
      server.close();
      wire.close();
    });
    return this;
  }

  freeze(): void {
    this.isFrozen = true;
    for (const [near, far] of this.#wires) for (const socket of [near, far]) socket.unpipe().pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const [near, far] of this.#wires) near.pipe(far).pipe(near);
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  return findPort(server);
}

function answer(response: Http2ServerResponse, body: unknown, code = 200): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function conflict(response: Http2ServerResponse): void {
  answer(response, { kind: 'Status', code: 409, reason: 'Conflict', message: 'it has changed' }, 409);
}

/** Two gateways, of which the second answers as the test says, and their client, which has used the first one. */
async function startTwo(second: Listener): Promise<{ first: Gateway; other: Gateway; client: ApiClient }> {
  const first = await new Gateway().start((_, response) => answer(response, { from: 'first' }));
  const other = await new Gateway().start(second);
  const client = createClient(first, other);
  assert.deepEqual(await client.request({ method: 'GET', path: '/api' }), { from: 'first' });
  first.requests.length = 0;
  return { first, other, client };
}

function createClient(...gateways: readonly Gateway[]): ApiClient {
  const servers = gateways.map(({ url }) => url);
  return stack.use(
    createApiClient({ configuration: { servers, certificateAuthority: tls.ca }, userAgent: 'test' }),
  );
}

async function until(condition: () => boolean): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; !condition(); await pause(2))
    assert.ok(Date.now() < giveUpAt, 'in vain');
}

const fromOther: Listener = (_, response) => answer(response, { from: 'other' });
const path = '/api/v1/namespaces/default/configmaps/a';

test('a read at a silent gateway is answered by another one, and later requests go there at once', async () => {
  const { first, other, client } = await startTwo(fromOther);
  first.freeze();
  const reads = Array.from({ length: 10 }, () => client.request({ method: 'GET', path }));
  for (const read of reads) assert.deepEqual(await read, { from: 'other' });
  assert.deepEqual(await client.request({ method: 'POST', path, body: {} }), { from: 'other' });
  assert.equal(other.requests.length, 11);
});

test('a slow gateway that answers pings is not left', async () => {
  const slow = await new Gateway().start(async (_, response) => {
    await pause(1_500);
    answer(response, { from: 'slow' });
  });
  const other = await new Gateway().start(fromOther);
  const client = createClient(slow, other);
  assert.deepEqual(await client.request({ method: 'GET', path }), { from: 'slow' });
  assert.deepEqual(other.requests, []);
});

const versioned = { metadata: { name: 'a', resourceVersion: '7' } };
const repeated: readonly [string, 'PUT' | 'PATCH' | 'DELETE', unknown][] = [
  ['an update of a version', 'PUT', versioned],
  ['a patch of a version', 'PATCH', versioned],
  ['a deletion of an object by its uid', 'DELETE', { preconditions: { uid: 'u' } }],
  ['a deletion of a version', 'DELETE', { preconditions: { resourceVersion: '7' } }],
];
for (const [what, method, body] of repeated) {
  test(`${what} at a silent gateway is repeated at another one`, async () => {
    const bodies: string[] = [];
    const { first, client } = await startTwo((_, response, received) => {
      bodies.push(received);
      answer(response, { from: 'other' });
    });
    first.freeze();
    assert.deepEqual(await client.request({ method, path, body }), { from: 'other' });
    assert.deepEqual(bodies, [JSON.stringify(body)]);
  });
}

test('a write that both gateways executed is not reported as a conflict', async () => {
  const released = Promise.withResolvers<void>();
  const first = await new Gateway().start(({ method }, response) =>
    method === 'GET' ? answer(response, {}) : conflict(response),
  );
  const other = await new Gateway().start(async (_, response) => {
    // Done here, and the answer is on its way.
    first.thaw();
    await released.promise;
    answer(response, { from: 'other' });
  });
  const client = createClient(first, other);
  await client.request({ method: 'GET', path });
  first.freeze();
  const update = client.request({ method: 'PUT', path, body: versioned });
  await until(() => first.requests.length === 2);
  released.resolve();
  assert.deepEqual(await update, { from: 'other' });
});

test('a write that conflicts at both gateways is a conflict', async () => {
  const first = await new Gateway().start(({ method }, response) =>
    method === 'GET' ? answer(response, {}) : conflict(response),
  );
  const other = await new Gateway().start((_, response) => {
    conflict(response);
    first.thaw();
  });
  const client = createClient(first, other);
  await client.request({ method: 'GET', path });
  first.freeze();
  await assert.rejects(client.request({ method: 'PUT', path, body: versioned }), /it has changed/);
});

test('if all gateways are silent the first one that recovers answers', async () => {
  const first = await new Gateway().start((_, response) => answer(response, { from: 'first' }));
  const other = await new Gateway().start(fromOther);
  const client = createClient(first, other);
  await client.request({ method: 'GET', path });
  for (const gateway of [first, other]) gateway.freeze();
  const reads = [1, 2].map(() => client.request({ method: 'GET', path }));
  await pause(1_000);
  first.thaw();
  for (const read of reads) assert.deepEqual(await read, { from: 'first' });
});

for (const [what, code, method, body] of [
  ['a conflict', 409, 'PUT', versioned],
  ['an absence', 404, 'DELETE', { preconditions: { uid: 'u' } }],
  ['a failure', 503, 'PUT', versioned],
] as const)
  test(`${what} at another gateway is not reported, because the silent one may have executed the write`, async () => {
    const { first, client } = await startTwo((_, response) =>
      answer(response, { kind: 'Status', code, reason: 'Some', message: 'it is another' }, code),
    );
    first.freeze();
    await assert.rejects(
      client.request({ method, path, body }),
      (error: unknown) =>
        error instanceof StatusError && error.code === 504 && /outcome is unknown/.test(error.message),
    );
    // Where only this gateway was asked it says all.
    const alone = client.request({ method, path, body });
    if (code < 500) await assert.rejects(alone, { code, message: 'it is another' });
    else await assert.rejects(alone);
  });

const sentOnce: readonly [string, 'POST' | 'PUT' | 'PATCH' | 'DELETE', unknown][] = [
  ['a creation', 'POST', { metadata: { name: 'a' } }],
  ['an update of whatever is there', 'PUT', { metadata: { name: 'a' } }],
  ['a patch of whatever is there', 'PATCH', [{ op: 'add', path: '/data', value: {} }]],
  ['a deletion of whatever is there', 'DELETE', { propagationPolicy: 'Background' }],
];
test('writes that cannot be repeated are not, and fail when the silent gateway is given up', async () => {
  const { first, other, client } = await startTwo(fromOther);
  first.freeze();
  const writes = sentOnce.map(async ([what, method, body]) =>
    assert.rejects(client.request({ method, path, body }), { code: 503 }, what),
  );
  await Promise.all(writes);
  assert.deepEqual(other.requests, []);
});

test('a gateway that only accepts connections is avoided, for writes too', async () => {
  const frozen = await new Gateway().start((_, response) => answer(response, {}));
  frozen.freeze();
  const other = await new Gateway().start(fromOther);
  const client = createClient(frozen, other);
  assert.deepEqual(await client.request({ method: 'POST', path, body: {} }), { from: 'other' });
});

test('a request ends at its timeout if no gateway accepts a connection', async () => {
  const gateways = [await new Gateway().start(fromOther), await new Gateway().start(fromOther)];
  for (const gateway of gateways) gateway.freeze();
  const client = createClient(...gateways);
  await assert.rejects(client.request({ method: 'GET', path, timeoutMs: 50 }), {
    code: 504,
    message: /no answer from .* within 50 ms/,
  });
});

test('a client with one address reaches another gateway behind it with a new connection', async () => {
  const [frozen, other] = [await new Gateway().start(fromOther), await new Gateway().start(fromOther)];
  let target = frozen;
  const balancer = createServer(near => {
    const far = connectTcp(Number(new URL(target.url).port), '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {});
    near.once('close', () => far.destroy());
    near.pipe(far).pipe(near);
    stack.defer(() => void near.destroy());
  });
  stack.defer(() => void balancer.close());
  const configuration = {
    servers: [`https://127.0.0.1:${await listen(balancer)}`],
    certificateAuthority: tls.ca,
  };
  const client = stack.use(createApiClient({ configuration, userAgent: 'test' }));
  await client.request({ method: 'GET', path });
  frozen.freeze();
  target = other;
  assert.deepEqual(await client.request({ method: 'GET', path }), { from: 'other' });
  assert.deepEqual(other.requests, [`GET ${path}`]);
});

test('an informer with a silent gateway continues at another one without a list', async () => {
  const object = (name: string, resourceVersion: string) => ({
    metadata: { name, uid: name, resourceVersion },
  });
  const change = (value: object) => `${JSON.stringify({ type: 'ADDED', object: value })}\n`;
  const first = await new Gateway().start(({ url }, response) => {
    if (!url.includes('watch=1'))
      return answer(response, { metadata: { resourceVersion: '5' }, items: [object('a', '5')] });
    response.writeHead(200);
    response.write(change(object('b', '6')));
  });
  const other = await new Gateway().start((_, response) => {
    response.writeHead(200);
    response.write(change(object('c', '7')));
  });
  const stop = new AbortController();
  const seen: string[] = [];
  const informer = new Informer({
    client: createClient(first, other),
    path: '/api/v1/configmaps',
    signal: stop.signal,
    onChange({ metadata }) {
      seen.push(metadata.name ?? '');
      // The watch is quiet from here on.
      if (metadata.name === 'b') first.freeze();
      if (metadata.name === 'c') stop.abort();
    },
    onDelete: ({ metadata }) => assert.fail(`${metadata.name} is not gone`),
    onError: () => {},
  });
  await informer.run();
  assert.deepEqual(seen, ['a', 'b', 'c']);
  assert.deepEqual(other.requests, [
    'GET /api/v1/configmaps?watch=1&allowWatchBookmarks=true&resourceVersion=6',
  ]);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { findPort } from './setup/find-port.ts';

const namespace = 'proxied';
const pods = `/api/v1/namespaces/${namespace}/pods`;
const services = `/api/v1/namespaces/${namespace}/services`;
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };
/** An address of this machine that is not a loopback one: connections to it do not leave the machine. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find(address => address?.family === 'IPv4' && !address.internal)?.address;

let server: ApiServer;
let backend: Server;
let backendPort: number;
/** The requests that the backend got, as far as it read them. */
const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
const openAnswers = new Map<string, ServerResponse>();

before(async () => {
  backend = createServer(serveBackend);
  backend.listen(0, '0.0.0.0');
  await once(backend, 'listening');
  backendPort = findPort(backend);
  server = await startApiServer({ allowLoopbackProxy: true, requestTimeout: 5_000 });
  await server.namespace(namespace);
  await podAt('p', '127.0.0.1');
  await nodeAt('n', '127.0.0.1');
});
after(async () => {
  backend.closeAllConnections();
  backend.close();
  await server[Symbol.asyncDispose]();
});

async function serveBackend(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  if (url === '/hangs' || url === '/breaks') {
    openAnswers.set(url, response);
    if (url === '/breaks') {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('part', () => response.destroy());
    }
    return;
  }
  if (url === '/streams') {
    openAnswers.set(url, response);
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.write('first\n');
    return;
  }
  if (url === '/early') {
    response.writeHead(413).end('too much');
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // Without an encoding: buffers.
  const body = Buffer.concat(chunks).toString();
  received.push({ method: request.method ?? '', url, headers: request.headers, body });
  if (url === '/moved') response.writeHead(302, { Location: '/elsewhere' }).end();
  else response.writeHead(418, { 'X-Backend': 'yes', 'Content-Type': 'text/plain' }).end(`${url} ${body}`);
}

async function expect(code: number, method: string, path: string, call: object = {}) {
  const answer = await server.call(method, path, call);
  assert.equal(answer.code, code, `${method} ${path}: ${answer.text}`);
  return answer;
}

async function podAt(name: string, podIP: string): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: backendPort }] }] };
  await expect(201, 'POST', pods, { body: { metadata: { name }, spec } });
  const status = { podIP, podIPs: [{ ip: podIP }] };
  await expect(200, 'PATCH', `${pods}/${name}/status`, { body: { status }, headers: mergePatch });
}

async function nodeAt(name: string, address: string): Promise<void> {
  await expect(201, 'POST', '/api/v1/nodes', { body: { metadata: { name } } });
  const status = {
    addresses: [
      { type: 'Hostname', address: 'localhost' },
      { type: 'InternalIP', address },
    ],
  };
  await expect(200, 'PATCH', `/api/v1/nodes/${name}/status`, { body: { status }, headers: mergePatch });
}

test('a request and its answer are proxied unchanged to and from a pod', async () => {
  const answer = await expect(418, 'POST', `${pods}/p/proxy/a//b%2Fc/?x=1&y`, {
    body: 'a body',
    headers: {
      'Content-Type': 'text/plain',
      Connection: 'close, X-Private',
      'X-Private': '1',
      'X-Kept': 'k',
    },
  });
  assert.equal(answer.text, '/a//b%2Fc/?x=1&y a body');
  assert.deepEqual([answer.headers['x-backend'], answer.headers['content-type']], ['yes', 'text/plain']);
  assert(answer.headers['audit-id']);
  const seen = received.at(-1);
  assert.deepEqual([seen?.method, seen?.body], ['POST', 'a body']);
  assert.equal(seen?.headers['authorization'], undefined, 'credentials stay here');
  assert.equal(seen?.headers['x-private'], undefined);
  assert.equal(seen?.headers['x-kept'], 'k');
  assert.equal(seen?.headers.host, `127.0.0.1:${backendPort}`);
  assert.equal(seen?.headers['x-forwarded-uri'], `${pods}/p/proxy/a//b%2Fc/`);
});

test('every method and large bodies are proxied both ways', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    await expect(418, method, `${pods}/p:${backendPort}/proxy/m`);
  assert.equal((await expect(418, 'HEAD', `${pods}/p/proxy/m`)).text, '');
  const body = 'x'.repeat(8 * 1024 * 1024);
  const { text } = await expect(418, 'PUT', `${pods}/p/proxy/large`, { body });
  assert.equal(text.length, '/large '.length + body.length);
});

test('an answer before the end of the request body is proxied', async () => {
  const body = 'x'.repeat(16 * 1024 * 1024);
  assert.equal((await expect(413, 'PUT', `${pods}/p/proxy/early`, { body })).text, 'too much');
  await expect(418, 'GET', `${pods}/p/proxy/after`);
});

test('the root needs a trailing slash, and redirects are rewritten to the proxy', async () => {
  const { headers } = await expect(301, 'GET', `${pods}/p/proxy?x=1`);
  assert.equal(headers.location, `${pods}/p/proxy/?x=1`);
  await expect(418, 'GET', `${pods}/p/proxy/`);
  assert.equal(
    (await expect(302, 'GET', `${pods}/p/proxy/moved`)).headers.location,
    `${pods}/p/proxy/elsewhere`,
  );
});

test('a request is proxied to a port of a node', async () => {
  await expect(418, 'GET', `/api/v1/nodes/n:${backendPort}/proxy/metrics`);
  const { text } = await expect(503, 'GET', `/api/v1/nodes/https:n:${backendPort}/proxy/metrics`);
  assert.match(text, /error trying to reach service/);
});

test('a request is proxied to an endpoint of a service', { skip: ownAddress === undefined }, async () => {
  const spec = {
    ports: [
      { name: 'web', port: 80 },
      { name: 'other', port: 81 },
    ],
  };
  await expect(201, 'POST', services, { body: { metadata: { name: 's' }, spec } });
  const none = await expect(503, 'GET', `${services}/s:web/proxy/x`);
  assert.match(none.json.message, /no endpoints available for service "s"/);
  const subsets = [{ addresses: [{ ip: ownAddress }], ports: [{ name: 'web', port: backendPort }] }];
  await expect(201, 'POST', `/api/v1/namespaces/${namespace}/endpoints`, {
    body: { metadata: { name: 's' }, subsets },
  });
  for (const name of ['s:web', 's:80', 'http:s:web', 'http:s:80'])
    assert.equal((await expect(418, 'GET', `${services}/${name}/proxy/x`)).text, '/x ');
  for (const name of ['s', 's:81', 's:82', 's:other'])
    assert.equal((await expect(503, 'GET', `${services}/${name}/proxy/x`)).json.reason, 'ServiceUnavailable');
  await expect(404, 'GET', `${services}/nobody/proxy/x`);
  await expect(400, 'GET', `${services}/ftp:s:21/proxy/x`);
});

test('link-local addresses are never called, whatever objects contain', async () => {
  await podAt('metadata', '169.254.169.254');
  await nodeAt('link', '169.254.169.254');
  for (const path of [`${pods}/metadata:80/proxy/`, '/api/v1/nodes/link:80/proxy/']) {
    const { json } = await expect(503, 'GET', path);
    assert.match(json.message, /requests must not be proxied to the address/);
  }
});

test('metadata services of clouds are not reached, with any notation of their addresses', async () => {
  const addresses = [
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    'fec0::1',
  ];
  for (const [index, address] of addresses.entries()) {
    await podAt(`cloud-${index}`, address);
    const { json } = await expect(503, 'GET', `${pods}/cloud-${index}:80/proxy/`);
    assert.match(json.message, /requests must not be proxied to the address/, address);
  }
});

test('a denied network is not called', { skip: ownAddress === undefined }, async () => {
  await using strict = await startApiServer({ proxyDeniedNetworks: ['10.66.0.0/16', `${ownAddress}/32`] });
  await strict.namespace(namespace);
  const before = received.length;
  for (const [index, podIP] of [ownAddress, `::ffff:${ownAddress}`, '10.66.0.1'].entries()) {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await strict.call('POST', pods, { body: { metadata: { name: `p${index}` }, spec } });
    const status = { podIP, podIPs: [{ ip: podIP }] };
    await strict.call('PATCH', `${pods}/p${index}/status`, { body: { status }, headers: mergePatch });
    const { code, json } = await strict.call('GET', `${pods}/p${index}:${backendPort}/proxy/`);
    assert.equal(code, 503);
    assert.match(json.message, /requests must not be proxied to the address/);
  }
  assert.equal(received.length, before);
});

test('an invalid denied network prevents the start', async () => {
  await assert.rejects(startApiServer({ proxyDeniedNetworks: ['10.0.0.0/8', '10.1'] }), /network "10\.1"/);
});

test('loopback is not called without a flag', async () => {
  await using strict = await startApiServer();
  await strict.namespace(namespace);
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await strict.call('POST', pods, { body: { metadata: { name: 'p' }, spec } });
  const status = { podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
  await strict.call('PATCH', `${pods}/p/status`, { body: { status }, headers: mergePatch });
  const { code, json } = await strict.call('GET', `${pods}/p:${backendPort}/proxy/`);
  assert.equal(code, 503);
  assert.match(json.message, /requests must not be proxied to the address/);
});

test('the permission depends on the verb of the method', async () => {
  const refused = await expect(403, 'POST', `${pods}/p/proxy/x`, { token: 'bobtoken' });
  assert.match(refused.json.message, /cannot create resource "pods\/proxy"/);
  const rules = [{ apiGroups: [''], resources: ['pods/proxy'], verbs: ['get'] }];
  const rbac = `/apis/rbac.authorization.cluster.io/v1/namespaces/${namespace}`;
  await expect(201, 'POST', `${rbac}/roles`, { body: { metadata: { name: 'r' }, rules } });
  const roleRef = { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'r' };
  const subjects = [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.cluster.io' }];
  await expect(201, 'POST', `${rbac}/rolebindings`, { body: { metadata: { name: 'b' }, roleRef, subjects } });
  await until('bob may', async () => {
    const { code } = await server.call('GET', `${pods}/p/proxy/x`, { token: 'bobtoken' });
    return code === 418;
  });
  await expect(403, 'DELETE', `${pods}/p/proxy/x`, { token: 'bobtoken' });
});

test('an answer is streamed, and aborted when the client disconnects', async () => {
  const url = new URL(`${server.url}${pods}/p/proxy/streams`);
  const request = httpsRequest(url, {
    headers: { Authorization: 'Bearer admintoken' },
    rejectUnauthorized: false,
  }).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const [first] = (await once(answer, 'data')) as [Buffer];
  assert.equal(first.toString(), 'first\n');
  const behind = openAnswers.get('/streams');
  assert(behind);
  const left = once(behind, 'close');
  request.destroy();
  await left;
});

test('a timeout or broken connection is reported', async () => {
  const late = await expect(504, 'GET', `${pods}/p/proxy/hangs`);
  assert.equal(late.json.reason, 'Timeout');
  await assert.rejects(server.call('GET', `${pods}/p/proxy/breaks`), /aborted|hang up/);
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const port = findPort(closed);
  await new Promise(resolve => closed.close(resolve));
  const { json } = await expect(503, 'POST', `${pods}/p:${port}/proxy/x`, { body: 'lost' });
  assert.match(json.message, /error trying to reach service/);
  await expect(418, 'GET', `${pods}/p/proxy/still-there`);
});

test('an upgrade to another protocol is refused', async () => {
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
  await expect(400, 'GET', `${pods}/p/proxy/x`, { headers });
});

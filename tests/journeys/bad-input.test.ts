import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import type { ApiServer, Call } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('bad-input');
  const created = await server.call('POST', maps, {
    body: { metadata: { name: 'there' }, data: { k: 'v' } },
  });
  assert.equal(created.code, 201);
});
after(() => server?.[Symbol.asyncDispose]());

const maps = '/api/v1/namespaces/bad-input/configmaps';

interface Case extends Call {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly code: number;
  readonly reason: string;
}

const cases: Case[] = [
  { what: 'malformed JSON', body: '{"metadata":', code: 400, reason: 'BadRequest' },
  { what: 'an empty body', body: '', code: 400, reason: 'BadRequest' },
  { what: 'an array as body', body: '[]', code: 400, reason: 'BadRequest' },
  { what: 'deeply nested JSON', body: `${'['.repeat(200_000)}`, code: 400, reason: 'BadRequest' },
  {
    what: 'a wrong type in a field',
    body: { metadata: { name: 'x' }, data: { a: 1 } },
    code: 400,
    reason: 'BadRequest',
  },
  {
    what: 'another kind',
    body: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'x' } },
    code: 400,
    reason: 'BadRequest',
  },
  {
    what: 'an unknown resource',
    path: '/api/v1/namespaces/bad-input/foos',
    body: {},
    code: 404,
    reason: 'NotFound',
  },
  {
    what: 'an unsupported media type',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
    code: 415,
    reason: 'UnsupportedMediaType',
  },
  {
    what: 'a body over 3 MiB',
    body: 'x'.repeat(3 * 1024 * 1024 + 1),
    code: 413,
    reason: 'RequestEntityTooLarge',
  },
  {
    what: 'a body over 3 MiB of unknown length',
    body: 'x'.repeat(4 * 1024 * 1024),
    headers: { 'Transfer-Encoding': 'chunked' },
    code: 413,
    reason: 'RequestEntityTooLarge',
  },
  {
    what: 'a namespace that is not a DNS label',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'a.b' } },
    code: 422,
    reason: 'Invalid',
  },
  {
    what: 'a name that is not a DNS subdomain',
    body: { metadata: { name: 'Bad_Name' } },
    code: 422,
    reason: 'Invalid',
  },
  { what: 'no name', body: { metadata: {} }, code: 422, reason: 'Invalid' },
  {
    what: 'a stale resourceVersion',
    method: 'PUT',
    path: `${maps}/there`,
    body: { metadata: { name: 'there', resourceVersion: '1' } },
    code: 409,
    reason: 'Conflict',
  },
  { what: 'a name that is taken', body: { metadata: { name: 'there' } }, code: 409, reason: 'AlreadyExists' },
  {
    what: 'a missing namespace',
    path: '/api/v1/namespaces/nope/configmaps',
    body: { metadata: { name: 'x' } },
    code: 404,
    reason: 'NotFound',
  },
  { what: 'a slash in a name', method: 'GET', path: `${maps}/a%2Fb`, code: 400, reason: 'BadRequest' },
  {
    what: 'a way out of the path',
    method: 'GET',
    path: '/api/v1/namespaces/..%2f..%2f/configmaps/x',
    code: 400,
    reason: 'BadRequest',
  },
  { what: 'an escape that is none', method: 'GET', path: `${maps}/%zz`, code: 400, reason: 'BadRequest' },
  {
    what: 'a method that the path does not have',
    method: 'PUT',
    path: maps,
    body: {},
    code: 405,
    reason: 'MethodNotAllowed',
  },
  {
    what: 'a form that nothing has',
    method: 'GET',
    path: maps,
    headers: { Accept: 'text/html' },
    code: 406,
    reason: 'NotAcceptable',
  },
  {
    what: 'a limit that is no number',
    method: 'GET',
    path: `${maps}?limit=abc`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    what: 'a selector that is none',
    method: 'GET',
    path: `${maps}?labelSelector=a%20in%20(b`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    what: 'a field that cannot be selected',
    method: 'GET',
    path: `${maps}?fieldSelector=data.k%3Dv`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    what: 'a timeout that is none',
    method: 'GET',
    path: `${maps}?timeout=soon`,
    code: 400,
    reason: 'BadRequest',
  },
];

for (const { what, method = 'POST', path = maps, code, reason, ...call } of cases) {
  test(`${what} gets ${code} ${reason}, stores nothing, and keeps the connection usable`, async () => {
    const before = (await server.call('GET', maps)).json.metadata.resourceVersion;
    const refused = await server.call(method, path, call);
    assert.equal(refused.code, code, refused.text);
    assert.equal(refused.json?.kind, 'Status');
    assert.equal(refused.json.status, 'Failure');
    assert.equal(refused.json.reason, reason);
    assert.equal(refused.json.code, code);
    assert.notEqual(refused.headers.connection, 'close');
    const next = await server.call('GET', maps);
    assert.equal(next.code, 200);
    assert.equal(next.connection, refused.connection);
    assert.deepEqual(next.json.items.map(item => item.metadata.name).filter(isOurs), ['there']);
    assert.ok(Number(next.json.metadata.resourceVersion) >= Number(before));
  });
}

test('unknown groups and paths get a plain page', async () => {
  for (const path of ['/apis/nope.example', '/apis/nope.example/v1/things', '/nope', '/debug']) {
    const answer = await server.call('GET', path);
    assert.equal(answer.code, 404);
    assert.equal(answer.text, '404 page not found\n');
  }
});

/** The whole answer to a text over TLS, until the server closes the connection. */
function answerTo(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise<string>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      socket.write(text);
    });
    let received = '';
    socket.on('data', data => {
      received += data;
    });
    socket.on('end', () => resolve(received)).on('error', reject);
  });
}

const noHttp: Readonly<Record<string, string>> = {
  'what is no HTTP': 'NONSENSE\r\n\r\n',
  'a request of HTTP/0.9': 'GET /version\r\n\r\n',
  'a request that names HTTP/0.9': 'GET /version HTTP/0.9\r\nHost: x\r\n\r\n',
  'a request with two hosts': 'GET /version HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'a request without a host': 'GET /version HTTP/1.1\r\n\r\n',
};
for (const [what, text] of Object.entries(noHttp))
  test(`${what} gets a Status and a closed connection`, async () => {
    const answer = await answerTo(text);
    assert.match(answer, /^HTTP\/1\.1 40[05] /);
    if (what !== 'what is no HTTP') assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"kind":"Status"/);
  });

/** A controller puts an object of its own into namespaces on some forms of the server. */
function isOurs(name: string): boolean {
  return !name.startsWith('cluster-') && !name.startsWith('kube-');
}

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type ApiServer, startApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

const configMaps = '/api/v1/namespaces/negotiation/configmaps';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

suite('negotiation', () => {
  let server: ApiServer;
  before(async () => {
    server = await shareApiServer();
    await server.namespace('negotiation');
    await server.call('POST', configMaps, { body: { metadata: { name: 'a' }, data: { k: 'v' } } });
  });
  after(() => server?.[Symbol.asyncDispose]());
  const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', path, { headers });

  const accepted: [string, string | undefined, string][] = [
    ['nothing said', undefined, 'application/json'],
    ['anything', '*/*', 'application/json'],
    ['YAML', 'application/yaml', 'application/yaml'],
    ['protobuf', 'application/vnd.cluster.protobuf', 'application/vnd.cluster.protobuf'],
    ['the better of two', 'application/json;q=0.4, application/yaml;q=0.5', 'application/yaml'],
    ['what is there', 'text/html, application/json;q=0.1', 'application/json'],
    ['a type that is refused by its quality', 'application/yaml;q=0, application/json', 'application/json'],
    ['a Table', table, 'application/json'],
  ];
  for (const [what, accept, type] of accepted) {
    test(`${what} selects ${type}`, async () => {
      for (const path of [configMaps, `${configMaps}/a`]) {
        const answer = await get(path, accept === undefined ? {} : { Accept: accept });
        assert.deepEqual([answer.code, answer.headers['content-type']], [200, type], path);
      }
    });
  }

  const places = [configMaps, `${configMaps}/a`, `${configMaps}?watch=1`, '/apis', '/api/v1', '/version'];
  test('an unsupported type is 406 for every verb, and the message lists the supported ones', async () => {
    for (const path of places) {
      const { code, json } = await get(path, { Accept: 'application/xml' });
      assert.deepEqual([code, json.reason, json.code], [406, 'NotAcceptable', 406], path);
      assert.match(json.message, /application\/json/, path);
    }
    const created = await server.call('POST', configMaps, {
      headers: { Accept: 'text/html' },
      body: { metadata: { name: 'unwanted' } },
    });
    assert.equal(created.code, 406);
    assert.equal((await get(`${configMaps}/unwanted`)).code, 404);
  });

  test('a Table of other kinds than objects is refused', async () => {
    const review = await server.call('POST', '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews', {
      headers: { Accept: table },
      body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    });
    assert.equal(review.code, 406);
    assert.equal((await get('/apis', { Accept: table })).code, 406);
  });

  const bodies: [string, string, string, number][] = [
    ['POST', 'text/plain', configMaps, 415],
    ['POST', 'application/xml', configMaps, 415],
    ['PUT', 'application/merge-patch+json', `${configMaps}/a`, 415],
    ['PATCH', 'application/json', `${configMaps}/a`, 415],
    ['PATCH', 'application/vnd.cluster.protobuf', `${configMaps}/a`, 415],
    ['DELETE', 'text/plain', `${configMaps}/a`, 415],
  ];
  for (const [method, type, path, code] of bodies) {
    test(`${method} with a body of ${type} is a ${code}`, async () => {
      const body = '{"metadata":{"name":"b"}}';
      // Node's client leaves the length out of a DELETE.
      const headers = { 'Content-Type': type, 'Content-Length': String(body.length) };
      const answer = await server.call(method, path, { headers, body });
      assert.deepEqual([answer.code, answer.json.reason], [code, 'UnsupportedMediaType']);
    });
  }

  test('errors have the requested plain type', async () => {
    const missing = (accept: string) => get(`${configMaps}/missing`, { Accept: accept });
    assert.match((await missing('application/yaml')).text, /^reason: NotFound$/m);
    assert.equal((await missing(table)).json.kind, 'Status');
    const binary = await missing('application/vnd.cluster.protobuf');
    assert.equal(binary.bytes.subarray(0, 3).toString(), 'k8s');
    assert.equal(binary.code, 404);
  });

  test('browsers get indented JSON, programs only if they ask for it', async () => {
    const indented = async (path: string, headers = {}) => (await get(path, headers)).text.includes('\n  "');
    assert.equal(await indented(`${configMaps}/a`), false);
    assert.equal(await indented(`${configMaps}/a`, { 'User-Agent': 'curl/8.0' }), true);
    assert.equal(await indented(`${configMaps}/a`, { 'User-Agent': 'Mozilla/5.0' }), true);
    assert.equal(await indented(`${configMaps}/a?pretty=false`, { 'User-Agent': 'curl/8.0' }), false);
    assert.equal(await indented(`${configMaps}?pretty=true`), true);
    assert.equal(await indented('/apis?pretty=1'), true);
  });

  test('HEAD and OPTIONS are not methods of resources, but HEAD is one of documents', async () => {
    for (const method of ['HEAD', 'OPTIONS']) {
      for (const path of [configMaps, `${configMaps}/a`])
        assert.equal((await server.call(method, path)).code, 405, `${method} ${path}`);
    }
    for (const path of ['/healthz', '/readyz', '/version', '/apis']) {
      const head = await server.call('HEAD', path);
      assert.deepEqual([head.code, head.bytes.length], [200, 0], path);
    }
  });

  test('methods that a path does not have are 405', async () => {
    const refused: [string, string][] = [
      ['PUT', configMaps],
      ['PATCH', configMaps],
      ['POST', `${configMaps}/a`],
      ['POST', '/api/v1/configmaps'],
      ['DELETE', '/api/v1/configmaps'],
      ['DELETE', '/api/v1/namespaces'],
      ['DELETE', '/api/v1/namespaces/negotiation/services/x/status'],
      ['GET', '/apis/authentication.cluster.io/v1/tokenreviews'],
      ['POST', '/version'],
    ];
    for (const [method, path] of refused) {
      const { code, json } = await server.call(method, path, { body: {} });
      assert.deepEqual([code, json.reason], [405, 'MethodNotAllowed'], `${method} ${path}`);
    }
  });
});

suite('compression', () => {
  const value = 'x'.repeat(70_000);

  async function startWithLargeList(gates = ''): Promise<ApiServer> {
    const server = await startApiServer({ featureGates: featureGatesFrom(gates) });
    await server.namespace('negotiation');
    for (const name of ['a', 'b']) {
      const { code } = await server.call('POST', configMaps, {
        body: { metadata: { name }, data: { value } },
      });
      assert.equal(code, 201);
    }
    return server;
  }

  test('is used for large answers in every form if accepted, and never for watches', async () => {
    await using server = await startWithLargeList();
    const get = (path: string, headers: Record<string, string>) => server.call('GET', path, { headers });
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.cluster.protobuf']) {
      const plain = await get(configMaps, { Accept: accept });
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.ok(plain.bytes.length >= 128 * 1024);
      const packed = await get(configMaps, { Accept: accept, 'Accept-Encoding': 'gzip, deflate' });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.match(String(packed.headers['vary']), /Accept-Encoding/);
      assert.ok(packed.bytes.length < 20_000);
      assert.equal(gunzipSync(packed.bytes).toString().split(value).length, 3);
    }
    const small = await get(`${configMaps}/a`, { 'Accept-Encoding': 'gzip' });
    assert.equal(small.headers['content-encoding'], undefined);
    for (const encoding of ['gzip;q=0', 'br', 'identity', 'xgzip'])
      assert.equal(
        (await get(configMaps, { 'Accept-Encoding': encoding })).headers['content-encoding'],
        undefined,
      );
    using watch = await server.watch(`${configMaps}?watch=1&resourceVersion=0`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    assert.equal(watch.headers['content-encoding'], undefined);
  });

  test('is off without its feature gate', async () => {
    await using server = await startWithLargeList('APIResponseCompression=false');
    const answer = await server.call('GET', configMaps, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.equal(JSON.parse(answer.text).items.length, 2);
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startStandalone } from '@binnacle/standalone/testing';
import { type ApiServer, startApiServer } from './api-server.ts';
import { createKubectl, type Kubectl } from './kubectl/kubectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

suite('the OpenAPI documents over HTTP', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', path, { headers });

  /** The address of a part's document, as the index gives it. */
  async function findAddress(part: string): Promise<string> {
    const { paths } = JSON.parse((await get('/openapi/v3')).text);
    return paths[part].serverRelativeURL;
  }

  test('the root list has the paths', async () => {
    const { paths } = JSON.parse((await get('/')).text);
    for (const path of [
      '/.well-known/openid-configuration',
      '/logs',
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
    ])
      assert.ok(paths.includes(path), path);
  });

  test('paths outside groups are described', async () => {
    const operations = {
      '/.well-known/openid-configuration/': 'getServiceAccountIssuerOpenIDConfiguration',
      '/logs/': 'logFileListHandler',
      '/logs/{logpath}': 'logFileHandler',
      '/openid/v1/jwks/': 'getServiceAccountIssuerOpenIDKeyset',
      '/version/': 'getCodeVersion',
    };
    const v2 = JSON.parse((await get('/openapi/v2')).text);
    const v3 = await Promise.all(
      ['.well-known/openid-configuration', 'logs', 'openid/v1/jwks', 'version'].map(async part => {
        const { code, text } = await get(await findAddress(part));
        assert.equal(code, 200, part);
        return JSON.parse(text).paths;
      }),
    );
    const all = Object.assign({}, ...v3);
    for (const [path, id] of Object.entries(operations)) {
      assert.equal(v2.paths[path].get.operationId, id);
      assert.equal(all[path].get.operationId, id);
    }
  });

  test('there are no log file paths', async () => {
    const moved = await get('/logs');
    assert.deepEqual([moved.code, moved.headers['location']], [301, 'logs/']);
    const list = await get('/logs/');
    assert.deepEqual([list.code, list.text], [200, '<pre>\n</pre>\n']);
    assert.equal((await get('/logs/audit.log')).code, 404);
    assert.equal((await server.call('GET', '/logs/', { token: 'bobtoken' })).code, 403);
  });

  test('version 2 is JSON, or protobuf on request', async () => {
    const json = await get('/openapi/v2');
    assert.equal(json.code, 200);
    assert.equal(json.headers['content-type'], 'application/json');
    assert.equal(JSON.parse(json.text).swagger, '2.0');
    const binary = await get('/openapi/v2', { Accept: protobuf });
    assert.equal(binary.code, 200);
    assert.match(String(binary.headers['content-type']), /^application\/[a-z0-9.-]+\+protobuf$/);
    assert.deepEqual([...binary.bytes.subarray(0, 5)], [0x0a, 3, ...Buffer.from('2.0')]);
  });

  test('a current copy is not sent again', async () => {
    for (const [path, accept] of [
      ['/openapi/v2', 'application/json'],
      ['/openapi/v2', protobuf],
      ['/openapi/v3', 'application/json'],
      [await findAddress('api/v1'), 'application/json'],
    ] as const) {
      const first = await get(path, { Accept: accept });
      const tag = String(first.headers['etag']);
      assert.match(tag, /^"[0-9A-F]{128}"$/);
      const modified = String(first.headers['last-modified']);
      const later = new Date(Date.parse(modified) + 60_000).toUTCString();
      const earlier = new Date(Date.parse(modified) - 60_000).toUTCString();
      for (const [time, code] of [
        [modified, 304],
        [later, 304],
        [earlier, 200],
      ] as const)
        assert.equal((await get(path, { Accept: accept, 'If-Modified-Since': time })).code, code, time);
      assert.equal((await get(path, { Accept: accept, 'If-Match': '"other"' })).code, 412);
      const second = await get(path, { Accept: accept, 'If-None-Match': `"other", W/${tag}` });
      assert.deepEqual([second.code, second.bytes.length], [304, 0], path);
      assert.equal(second.headers['etag'], tag);
      assert.equal((await get(path, { Accept: accept, 'If-None-Match': '"other"' })).code, 200);
    }
  });

  test('parts of a document are sent for range requests', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3', await findAddress('api/v1')]) {
      const { bytes, headers: whole } = await get(path);
      assert.equal(whole['accept-ranges'], 'bytes');
      const size = bytes.length;
      const part = await get(path, { Range: 'bytes=10-19', 'Accept-Encoding': 'gzip' });
      assert.deepEqual([part.code, part.text], [206, bytes.subarray(10, 20).toString()], path);
      assert.equal(part.headers['content-range'], `bytes 10-19/${size}`);
      assert.equal(part.headers['content-encoding'], undefined);
      assert.equal(part.headers['etag'], whole['etag']);
      const end = await get(path, { Range: 'bytes=-5', 'If-Range': String(whole['etag']) });
      assert.deepEqual([end.code, end.text], [206, bytes.subarray(size - 5).toString()]);
      assert.equal((await get(path, { Range: 'bytes=-5', 'If-Range': '"other"' })).code, 200);
      const beyond = await get(path, { Range: `bytes=${size}-` });
      assert.deepEqual([beyond.code, beyond.headers['content-range']], [416, `bytes */${size}`]);
      assert.equal((await get(path, { Range: 'lines=1-2' })).code, 416);
      const two = await get(path, { Range: 'bytes=0-0,2-3' });
      assert.equal(two.code, 206);
      assert.match(String(two.headers['content-type']), /^multipart\/byteranges; boundary=[0-9A-F]+$/);
      assert.ok(two.text.includes(`Content-Range: bytes 2-3/${size}`));
      const head = await server.call('HEAD', path, { headers: { Range: 'bytes=10-19' } });
      assert.deepEqual([head.code, head.bytes.length, head.headers['content-length']], [206, 0, '10']);
    }
  });

  test('version 3 is protobuf on request, at the same URLs', async () => {
    const address = await findAddress('apis/apps/v1');
    for (const alias of ['spec.v3@v1.0', 'spec.v3.v1.0']) {
      const Accept = `application/com.github.proto-openapi.${alias}+protobuf`;
      const { code, headers, bytes } = await get(address, { Accept });
      assert.equal(code, 200, alias);
      assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
      assert.equal(headers['cache-control'], 'public, immutable');
      assert.deepEqual([...bytes.subarray(0, 7)], [0x0a, 5, ...Buffer.from('3.0.0')]);
      const repeated = await get(address, { Accept, 'If-None-Match': String(headers['etag']) });
      assert.equal(repeated.code, 304);
      const old = await get('/openapi/v3/apis/apps/v1?hash=ABC', { Accept });
      assert.deepEqual([old.code, old.headers['location']], [301, address]);
    }
  });

  test('documents are compressed for clients that accept it', async () => {
    const plain = await get('/openapi/v2');
    const compressed = await get('/openapi/v2', { 'Accept-Encoding': 'gzip' });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(compressed.bytes).equals(plain.bytes));
  });

  test('an unsupported type is an empty 406', async () => {
    for (const [path, accept] of [
      ['/openapi/v2', 'application/yaml'],
      ['/openapi/v3', 'application/yaml'],
      ['/openapi/v3', 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'],
      ['/openapi/v3/api/v1', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'],
    ] as const) {
      const { code, bytes } = await get(path, { Accept: accept });
      assert.deepEqual([code, bytes.length], [406, 0], path);
    }
  });

  test('a version 3 document can be cached by its hash, and an old hash redirects to the current one', async () => {
    const address = await findAddress('api/v1');
    assert.match(address, /^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
    const current = await get(address);
    assert.equal(current.code, 200);
    assert.equal(current.headers['cache-control'], 'public, immutable');
    assert.ok(Date.parse(String(current.headers['expires'])) > Date.now());
    const unnamed = await get('/openapi/v3/api/v1');
    assert.ok(unnamed.bytes.equals(current.bytes));
    assert.equal(unnamed.headers['cache-control'], 'no-cache, private');
    const old = await get('/openapi/v3/api/v1?hash=ABCDEF');
    assert.deepEqual([old.code, old.headers['location']], [301, address]);
  });

  test('there are no other documents', async () => {
    for (const path of [
      '/openapi',
      '/openapi/v4',
      '/openapi/v3/apis/nothing.io/v1',
      '/openapi/v3/constructor',
    ])
      assert.equal((await get(path)).code, 404, path);
    assert.equal((await server.call('POST', '/openapi/v2')).code, 405);
    const head = await server.call('HEAD', '/openapi/v2');
    assert.deepEqual([head.code, head.bytes.length], [200, 0]);
  });

  test('authenticated users can read the documents, and no others', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1']) {
      assert.equal((await server.call('GET', path, { token: 'bobtoken' })).code, 200, path);
      assert.equal((await server.call('GET', path, { token: null })).code, 403, path);
    }
  });
});

const service = (targetPort: number) => `apiVersion: v1
kind: Service
metadata: {name: front, namespace: default}
spec:
  selector: {app: front}
  ports:
  - {name: plain, port: 80, targetPort: web}
  - {name: secure, port: 443, targetPort: ${targetPort}}
`;

suite('an unmodified kubectl with the OpenAPI documents', () => {
  let kubectl: Kubectl;
  let server: Awaited<ReturnType<typeof startStandalone>>;
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;

  before(async () => {
    directory = await createTemporaryDirectory();
    server = await startStandalone({ dataDir: join(directory.path, 'data'), port: 0 });
    kubectl = createKubectl(server.adminConfiguration, join(directory.path, 'cache'));
  });

  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await directory?.[Symbol.asyncDispose]();
  });

  const explained: [string, RegExp[]][] = [
    ['configmap.data', [/^KIND: +ConfigMap$/m, /^FIELD: +data <map\[string\]string>$/m]],
    ['pod.spec.containers', [/^RESOURCE: containers <\[\]Object>$/m, /^ +name\t<string> -required-$/m]],
    ['pod.metadata.creationTimestamp', [/^FIELD: +creationTimestamp <string>$/m]],
    ['services.spec.ports.targetPort', [/^FIELD: +targetPort <string>$/m]],
    ['role', [/^VERSION: +rbac\.authorization\.cluster\.io\/v1$/m]],
  ];
  for (const [path, expected] of explained) {
    test(`explains ${path}`, async () => {
      const { stdout } = await kubectl.run(['explain', path]);
      for (const pattern of expected) assert.match(stdout, pattern);
    });
  }

  test('applies a valid object, and merges lists by their keys', async () => {
    const apply = (input: string, ...more: string[]) => kubectl.run(['apply', ...more, '-f', '-'], { input });
    assert.match((await apply(service(8443))).stdout, /service\/front created/);
    assert.match((await apply(service(9443), '--dry-run=server')).stdout, /configured \(server dry run\)/);
    assert.match((await apply(service(9443))).stdout, /service\/front configured/);
    const { stdout } = await kubectl.run(['get', 'service', 'front', '-o', 'json']);
    const ports: { name: string; targetPort: unknown }[] = JSON.parse(stdout).spec.ports;
    assert.deepEqual(
      ports.map(port => [port.name, port.targetPort]),
      [
        ['plain', 'web'],
        ['secure', 9443],
      ],
    );
  });

  const refused: [string, string, RegExp][] = [
    ['an unknown field', 'kind: ConfigMap\nmetadata: {name: a}\ndatum: {a: b}', /unknown field "datum"/],
    [
      'a text in place of a number',
      'kind: Service\nmetadata: {name: a}\nspec: {ports: [{port: some}]}',
      /ports\[0\]\.port\): invalid type/,
    ],
    [
      'a missing field',
      'kind: Pod\nmetadata: {name: a}\nspec: {containers: [{image: a}]}',
      /missing required field "name"/,
    ],
  ];
  for (const [what, text, message] of refused) {
    test(`refuses ${what} before it sends the object`, async () => {
      const { code, stderr } = await kubectl.attempt(['apply', '-f', '-'], {
        input: `apiVersion: v1\n${text}\n`,
      });
      assert.equal(code, 1);
      assert.match(stderr, /error validating/);
      assert.match(stderr, message);
    });
  }
});

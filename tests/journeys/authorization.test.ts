import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { createPki } from '@binnacle/tls';
import { type ApiServer, type Call, startApiServer, until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

let server: ApiServer;
const maps = '/api/v1/namespaces/z/configmaps';
const rbac = '/apis/rbac.authorization.cluster.io/v1';

before(async () => {
  server = await startApiServer();
  await server.namespace('z');
  for (const name of ['x', 'y']) await server.call('POST', maps, { body: { metadata: { name } } });
});
after(() => server?.[Symbol.asyncDispose]());

const as = (token: string | null, more: Call = {}): Call => ({ token, ...more });

test('a request without credentials is anonymous, and one with invalid credentials is refused', async () => {
  const anonymous = await server.call('GET', '/api', as(null));
  assert.equal(anonymous.code, 403);
  assert.match(anonymous.json.message, /system:anonymous.*"\/api"/);
  for (const path of ['/healthz', '/livez', '/readyz', '/version']) {
    assert.equal((await server.call('GET', path, as(null))).code, 200, path);
  }
  const wrong = await server.call('GET', '/api', as('nonsense'));
  assert.equal(wrong.code, 401);
  assert.equal(wrong.json.reason, 'Unauthorized');
  const basic = await server.call('GET', '/api', as(null, { headers: { Authorization: 'Basic YTpi' } }));
  assert.equal(basic.code, 403);
});

const malformed = ['Bearer admintoken x', 'Bearer a, Bearer b', 'admintoken', ''];
for (const header of malformed)
  test(`the header ${JSON.stringify(header)} is 401`, async () => {
    for (const path of ['/healthz', maps]) {
      const { code } = await server.call('GET', path, as(null, { headers: { Authorization: header } }));
      assert.equal(code, 401, path);
    }
  });

test('two Authorization headers are 401, whichever is valid', async () => {
  const { hostname, port } = new URL(server.url);
  for (const values of [
    ['Bearer admintoken', 'Bearer nonsense'],
    ['Bearer nonsense', 'Bearer admintoken'],
    ['Basic YTpi', 'Bearer admintoken'],
    ['Bearer admintoken', 'Bearer admintoken'],
  ]) {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    const lines = values.map(value => `Authorization: ${value}`);
    socket.write(['GET /api HTTP/1.1', 'Host: h', 'Connection: close', ...lines, '', ''].join('\r\n'));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer); // Without an encoding: buffers.
    assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1.1 401 /, values.join());
  }
});

test('with AlwaysAllow no request is anonymous without the flag', async () => {
  {
    await using open = await startApiServer({ authorizationMode: ['AlwaysAllow'] });
    for (const path of ['/healthz', '/api', maps, '/api/v1/secrets'])
      assert.equal((await open.call('GET', path, as(null))).code, 401, path);
    assert.equal((await open.call('GET', '/api/v1/secrets', as('bobtoken'))).code, 200);
  }
  await using open = await startApiServer({ authorizationMode: ['AlwaysAllow'], anonymousAuth: true });
  assert.equal((await open.call('GET', '/api/v1/secrets', as(null))).code, 200);
});

test('a user without roles gets the same refusal for existing and missing objects', async () => {
  const refused: [string, string, Record<string, unknown>, RegExp][] = [
    [
      'GET',
      maps,
      { kind: 'configmaps' },
      /cannot list resource "configmaps" in API group "" in the namespace "z"/,
    ],
    [
      'GET',
      `${maps}/none`,
      { name: 'none', kind: 'configmaps' },
      /configmaps "none" is forbidden: .*cannot get/,
    ],
    ['GET', '/api/v1/namespaces', { kind: 'namespaces' }, /at the cluster scope/],
    ['GET', '/api/v1/namespaces/z/foos', { kind: 'foos' }, /cannot list resource "foos"/],
    ['PUT', '/api/v1/namespaces/z/services/s/status', { name: 's', kind: 'services' }, /"services\/status"/],
    ['GET', '/metrics', {}, /cannot get path "\/metrics"/],
  ];
  for (const [method, path, details, message] of refused) {
    const body = method === 'PUT' ? {} : undefined;
    const answer = await server.call(method, path, as('bobtoken', { body }));
    assert.equal(answer.code, 403, path);
    assert.equal(answer.json.reason, 'Forbidden');
    assert.deepEqual(answer.json.details, details);
    assert.match(answer.json.message, message);
  }
  assert.equal((await server.call('GET', '/api', as('bobtoken'))).code, 200);
});

test('a role grants its rules while it is bound', async () => {
  const role = {
    metadata: { name: 'reader' },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'], resourceNames: ['x'] },
    ],
  };
  const binding = {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.cluster.io', name: 'devs' }],
  };
  const created = await server.call('POST', `${rbac}/namespaces/z/roles`, { body: role });
  assert.equal(created.code, 201, created.text);
  const bound = await server.call('POST', `${rbac}/namespaces/z/rolebindings`, { body: binding });
  assert.equal(bound.code, 201, bound.text);
  const code = async (method: string, path: string) =>
    (await server.call(method, path, as('alicetoken'))).code;
  await until('the binding counts', async () => (await code('GET', `${maps}/x`)) === 200);
  assert.equal(await code('GET', `${maps}/y`), 403);
  assert.equal(await code('GET', maps), 403);
  assert.equal(await code('GET', `${maps}?fieldSelector=metadata.name%3Dx`), 200);
  assert.equal(await code('GET', `${maps}?fieldSelector=metadata.name%3Dx&watch=1&timeoutSeconds=1`), 200);
  assert.equal(await code('DELETE', `${maps}/x`), 403);
  assert.equal((await server.call('GET', `${maps}/x`, as('bobtoken'))).code, 403);
  await server.call('DELETE', `${rbac}/namespaces/z/rolebindings/reader`);
  await until('the binding no longer counts', async () => (await code('GET', `${maps}/x`)) === 403);
});

test('each part of an impersonated identity needs a permission', async () => {
  const acting = (headers: Record<string, string>) => as('admintoken', { headers });
  const asBob = await server.call('GET', maps, acting({ 'Impersonate-User': 'bob' }));
  assert.equal(asBob.code, 403);
  assert.match(asBob.json.message, /User "bob" cannot list/);
  const asMaster = await server.call(
    'GET',
    maps,
    acting({ 'Impersonate-User': 'q', 'Impersonate-Group': 'system:masters' }),
  );
  assert.equal(asMaster.code, 200);
  const groupOnly = await server.call('GET', maps, acting({ 'Impersonate-Group': 'system:masters' }));
  assert.equal(groupOnly.code, 400);
  const bob = await server.call('GET', maps, as('bobtoken', { headers: { 'Impersonate-User': 'carol' } }));
  assert.equal(bob.code, 403);
  assert.match(bob.json.message, /users "carol" is forbidden: User "bob" cannot impersonate/);
});

test('the default roles and namespaces exist', async () => {
  const names = async (path: string) =>
    (await server.call('GET', path)).json.items.map(item => item.metadata.name);
  const roles = await names(`${rbac}/clusterroles`);
  for (const name of ['cluster-admin', 'admin', 'edit', 'view', 'system:discovery', 'system:basic-user']) {
    assert.ok(roles.includes(name), name);
  }
  const namespaces = await names('/api/v1/namespaces');
  for (const name of ['default', 'cluster-system', 'cluster-public', 'cluster-node-lease']) {
    assert.ok(namespaces.includes(name), name);
  }
});

test('a client certificate names its user and groups, if its authority is known', async () => {
  await using directory = await createTemporaryDirectory();
  const strangers = await createPki(directory.path, {
    clients: [{ name: 'mallory', commonName: 'admin', organizations: ['system:masters'] }],
  });
  const createAgent = async (clientDirectory: string) =>
    new Agent({
      keepAlive: true,
      rejectUnauthorized: false,
      cert: await readFile(join(clientDirectory, 'tls.crt')),
      key: await readFile(join(clientDirectory, 'tls.key')),
    });
  const admin = await createAgent(server.pki.clientDirectory('admin'));
  const mallory = await createAgent(strangers.clientDirectory('mallory'));
  const own = await server.call('GET', maps, as('nonsense', { agent: admin }));
  assert.equal(own.code, 200, 'a valid certificate wins over a bad token');
  const headers = { Authorization: 'Bearer a b' };
  const malformed = await server.call('GET', maps, as(null, { agent: admin, headers }));
  assert.equal(malformed.code, 200, 'and over one that cannot be read');
  const repeated = await server.call('GET', maps, as(null, { agent: admin }));
  assert.equal(repeated.code, 200);
  const foreign = await server.call('GET', maps, as(null, { agent: mallory }));
  assert.equal(foreign.code, 401);
  assert.equal((await server.call('GET', '/healthz', as(null, { agent: mallory }))).code, 401);
  const beside = await server.call('GET', maps, as('admintoken', { agent: mallory }));
  assert.equal(beside.code, 200, 'a certificate that is not trusted takes nothing from a good token');
  const users = await server.call('POST', '/apis/authentication.cluster.io/v1/tokenreviews', {
    agent: mallory,
    token: 'alicetoken',
    body: {},
  });
  assert.equal(users.code, 403, 'the user is that of the token, not that of the certificate');
  assert.match(users.json.message, /User "alice"/);
  const neither = await server.call('GET', maps, as('nonsense', { agent: mallory }));
  assert.equal(neither.code, 401);
  admin.destroy();
  mallory.destroy();
});

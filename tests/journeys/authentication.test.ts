import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createLogger } from '@binnacle/telemetry';
import { type IssuedCertificate, issueAuthority, issueCertificate } from '@binnacle/tls/testing';
import { createTokenSigner } from '@binnacle/tokens';
import { type Answer, type ApiServer, type Call, startApiServer, until } from './api-server.ts';
import { findPort } from './setup/find-port.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { unauthorizedStatus } from './setup/unauthorized-status.ts';

const reviews = '/apis/authentication.cluster.io/v1alpha1/selfsubjectreviews';
const accounts = '/api/v1/namespaces/z/serviceaccounts';

const [users, proxies, later] = await Promise.all(
  ['users', 'proxies', 'later'].map(name => issueAuthority(name, 3)),
);
assert.ok(users && proxies && later);

const directory = await createTemporaryDirectory();
const files = { users: join(directory.path, 'users.pem'), proxies: join(directory.path, 'proxies.pem') };
const agents: Agent[] = [];
const logged: string[] = [];
let server: ApiServer;
before(async () => {
  await writeFile(files.users, users.cert);
  await writeFile(files.proxies, proxies.cert);
  server = await startApiServer({
    runtimeConfig: 'authentication.cluster.io/v1alpha1',
    allowLoopbackProxy: true,
    tlsReloadInterval: 20,
    tokenSuccessCacheTtl: 1,
    watchCredentialCheckInterval: 200,
    log: createLogger({ sink: line => logged.push(line) }),
    clientCaFile: files.users,
    requestheaderClientCaFile: files.proxies,
    requestheaderUsernameHeaders: ['X-Own-User'],
    requestheaderGroupHeaders: ['X-Own-Group'],
    requestheaderExtraHeadersPrefix: ['X-Own-Extra-'],
    requestheaderAllowedNames: ['front'],
  });
  await server.namespace('z');
  await created(accounts, { metadata: { name: 'sa' } });
});
after(async () => {
  for (const agent of agents) agent.destroy();
  await server?.[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function created(path: string, body: unknown) {
  const answer = await server.call('POST', path, { body });
  assert.equal(answer.code, 201, answer.text);
  return JSON.parse(answer.text);
}

/** A client with a certificate of its own. */
async function createAgent(
  issuer: IssuedCertificate,
  commonName: string,
  more: { readonly organizations?: readonly string[]; readonly validDays?: number } = {},
): Promise<Agent> {
  const pair = await issueCertificate(issuer, { commonName, usages: ['client'], validDays: 1, ...more });
  // A connection for each request: authorities count for those that begin.
  const agent = new Agent({
    ...pair,
    keepAlive: false,
    maxCachedSessions: 0,
    ca: await readFile(server.pki.caFile),
  });
  agents.push(agent);
  return agent;
}

async function bearer(account: string): Promise<string> {
  return (await created(`${accounts}/${account}/token`, { spec: {} })).status.token;
}

/** A token that expired an hour ago, signed as all others are. */
async function expiredToken(): Promise<string> {
  const sign = createTokenSigner(await readFile(server.pki.serviceAccountKeyFile, 'utf8'));
  const { metadata } = JSON.parse((await server.call('GET', `${accounts}/sa`)).text);
  const now = Math.floor(Date.now() / 1000);
  return sign({
    iss: 'https://binnacle.local',
    sub: 'system:serviceaccount:z:sa',
    aud: ['https://binnacle.local'],
    iat: now - 7200,
    nbf: now - 7200,
    exp: now - 3600,
    'cluster.io': { namespace: 'z', serviceaccount: { name: 'sa', uid: metadata.uid } },
  });
}

function whoAmI(call: Call): Promise<Answer> {
  return server.call('POST', reviews, { token: null, body: {}, ...call });
}

function assertRefused({ code, text }: Answer): void {
  assert.equal(code, 401);
  assert.deepEqual(JSON.parse(text), unauthorizedStatus);
}

const secondsOfDay = 86_400;
const claims = { 'X-Own-User': 'ann', 'X-Own-Group': ['a', 'b'], 'X-Own-Extra-Scope': 'x' };
const large = 'a'.repeat(30_000);

/** Each gives the call; the user's name and groups, or undefined for 401. */
const matrix: readonly {
  readonly method: string;
  readonly what: string;
  readonly call: () => Promise<Call>;
  readonly user?: readonly [username: string, groups: readonly string[]];
}[] = [
  {
    method: 'proxy',
    what: 'valid',
    call: async () => ({ agent: await createAgent(proxies, 'front'), headers: claims }),
    user: ['ann', ['a', 'b', 'system:authenticated']],
  },
  {
    method: 'proxy',
    what: 'valid beside a bad token',
    call: async () => ({ agent: await createAgent(proxies, 'front'), headers: claims, token: 'nonsense' }),
    user: ['ann', ['a', 'b', 'system:authenticated']],
  },
  {
    method: 'proxy',
    what: 'expired',
    call: async () => ({ agent: await createAgent(proxies, 'front', { validDays: -0.01 }), headers: claims }),
  },
  {
    method: 'proxy',
    what: 'not allowed',
    call: async () => ({ agent: await createAgent(proxies, 'back'), headers: claims }),
  },
  {
    method: 'proxy',
    what: 'not allowed, with a good token',
    call: async () => ({ agent: await createAgent(proxies, 'back'), headers: claims, token: 'alicetoken' }),
    user: ['alice', ['devs', 'qa', 'system:authenticated']],
  },
  {
    method: 'proxy',
    what: 'of the authority of users',
    call: async () => ({ agent: await createAgent(users, 'front'), headers: claims }),
    user: ['front', ['system:authenticated']],
  },
  {
    method: 'proxy',
    what: 'without a certificate, with a good token',
    call: async () => ({ headers: claims, token: 'bobtoken' }),
    user: ['bob', ['system:authenticated']],
  },
  {
    method: 'proxy',
    what: 'with the name twice',
    call: async () => ({
      agent: await createAgent(proxies, 'front'),
      headers: { ...claims, 'X-Own-User': ['first', 'second'] },
    }),
    user: ['first', ['a', 'b', 'system:authenticated']],
  },
  {
    method: 'proxy',
    what: 'with two Authorization headers',
    call: async () => ({
      agent: await createAgent(proxies, 'front'),
      headers: { ...claims, Authorization: ['Bearer alicetoken', 'Bearer alicetoken'] },
    }),
  },
  {
    method: 'certificate',
    what: 'valid, of the authority that the flag names',
    call: async () => ({
      agent: await createAgent(users, 'ulla', { organizations: ['ops'] }),
      token: 'nonsense',
    }),
    user: ['ulla', ['ops', 'system:authenticated']],
  },
  {
    method: 'certificate',
    what: 'valid, of the local files',
    call: async () => {
      const folder = server.pki.clientDirectory('admin');
      const [cert, key] = await Promise.all(['tls.crt', 'tls.key'].map(name => readFile(join(folder, name))));
      const agent = new Agent({ cert, key, ca: await readFile(server.pki.caFile) });
      agents.push(agent);
      return { agent };
    },
    user: ['admin', ['system:masters', 'system:authenticated']],
  },
  {
    method: 'certificate',
    what: 'expired',
    call: async () => ({ agent: await createAgent(users, 'ulla', { validDays: -0.01 }) }),
  },
  {
    method: 'certificate',
    what: 'of an authority of proxies',
    call: async () => ({ agent: await createAgent(proxies, 'admin', { organizations: ['system:masters'] }) }),
  },
  {
    method: 'certificate',
    what: 'of a stranger',
    call: async () => ({ agent: await createAgent(later, 'admin', { organizations: ['system:masters'] }) }),
  },
  {
    method: 'static token',
    what: 'valid',
    call: async () => ({ token: 'alicetoken' }),
    user: ['alice', ['devs', 'qa', 'system:authenticated']],
  },
  { method: 'static token', what: 'in other letters', call: async () => ({ token: 'ALICETOKEN' }) },
  { method: 'static token', what: 'malformed', call: async () => ({ token: 'alicetoken x' }) },
  { method: 'static token', what: 'oversized', call: async () => ({ token: large }) },
  {
    method: 'static token',
    what: 'twice',
    call: async () => ({ headers: { Authorization: ['Bearer alicetoken', 'Bearer alicetoken'] } }),
  },
  {
    method: 'service account',
    what: 'valid',
    call: async () => ({ token: await bearer('sa') }),
    user: [
      'system:serviceaccount:z:sa',
      ['system:serviceaccounts', 'system:serviceaccounts:z', 'system:authenticated'],
    ],
  },
  { method: 'service account', what: 'expired', call: async () => ({ token: await expiredToken() }) },
  {
    method: 'service account',
    what: 'malformed',
    call: async () => ({ token: (await bearer('sa')).replace('.', '') }),
  },
  {
    method: 'service account',
    what: 'with another signature',
    call: async () => ({ token: (await bearer('sa')).replace(/\.[^.]{20}(?=[^.]*$)/, `.${'A'.repeat(20)}`) }),
  },
  {
    method: 'service account',
    what: 'oversized',
    call: async () => ({ token: `${await bearer('sa')}${large}` }),
  },
  {
    method: 'service account',
    what: 'revoked',
    call: async () => {
      await created(accounts, { metadata: { name: 'gone' } });
      const token = await bearer('gone');
      assert.equal((await whoAmI({ token })).code, 201);
      assert.equal((await server.call('DELETE', `${accounts}/gone`)).code, 200);
      await until('the token is refused', async () => (await whoAmI({ token })).code !== 201);
      return { token };
    },
  },
];
for (const { method, what, call, user } of matrix)
  test(`${method}, ${what}: ${user === undefined ? '401 that says nothing' : user[0]}`, async () => {
    const answer = await whoAmI(await call());
    if (user === undefined) {
      assertRefused(answer);
      return;
    }
    assert.equal(answer.code, 201, answer.text);
    const { userInfo } = JSON.parse(answer.text).status;
    assert.deepEqual([userInfo.username, userInfo.groups], user);
  });

test('a request with the headers of a proxy and without its certificate is anonymous', async () => {
  const { code, json } = await whoAmI({ headers: claims });
  assert.equal(code, 403);
  assert.match(json.message, /"system:anonymous"/);
});

test('authentication and impersonation headers are not proxied', async () => {
  const received: IncomingMessage['headers'][] = [];
  await using backend = createServer((request, response) => {
    received.push(request.headers);
    response.end('ok');
  });
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const port = findPort(backend);
  await created('/api/v1/nodes', { metadata: { name: 'n' } });
  const status = { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }] };
  const patched = await server.call('PATCH', '/api/v1/nodes/n/status', {
    body: { status },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(patched.code, 200, patched.text);
  const path = `/api/v1/nodes/n:${port}/proxy/`;
  const headers = {
    ...claims,
    'X-Owner': 'kept',
    'Impersonate-User': 'u',
    'Impersonate-Group': 'system:masters',
  };
  const masters = { ...claims, 'X-Own-Group': 'system:masters', 'X-Owner': 'kept' };
  for (const call of [
    { headers },
    { token: null, agent: await createAgent(proxies, 'front'), headers: masters },
  ]) {
    const answer = await server.call('GET', path, call);
    assert.equal(answer.text, 'ok');
    const names = Object.keys(received.at(-1) ?? {});
    assert.ok(names.includes('x-owner'));
    assert.deepEqual(
      names.filter(name => /^(x-own-|impersonate-)/.test(name)),
      [],
    );
  }
});

test('extension servers can read the authorities and headers of proxies', async () => {
  const path = '/api/v1/namespaces/cluster-system/configmaps/extension-apiserver-authentication';
  const { data } = JSON.parse((await server.call('GET', path)).text);
  assert.deepEqual(data, {
    'client-ca-file': (await readFile(server.pki.caFile, 'utf8')) + users.cert,
    'requestheader-client-ca-file': proxies.cert,
    'requestheader-username-headers': '["X-Own-User"]',
    'requestheader-group-headers': '["X-Own-Group"]',
    'requestheader-extra-headers-prefix': '["X-Own-Extra-"]',
    'requestheader-allowed-names': '["front"]',
  });
});

test('authorities can be added to and removed from files while the server runs, and the local one is kept', async () => {
  const user = await createAgent(later, 'lea');
  const front = await createAgent(later, 'front');
  const code = async (call: Call) => (await whoAmI(call)).code;
  assert.equal(await code({ agent: user }), 401);
  await appendFile(files.users, later.cert);
  await until('the new authority counts', async () => (await code({ agent: user })) === 201);
  assert.equal((await whoAmI({ agent: front, headers: claims })).json.kind, 'SelfSubjectReview');
  await writeFile(files.users, users.cert);
  await writeFile(files.proxies, proxies.cert + later.cert);
  await until('it counts for proxies alone', async () => {
    const asProxy = await whoAmI({ agent: front, headers: claims });
    return asProxy.code === 201 && JSON.parse(asProxy.text).status.userInfo.username === 'ann';
  });
  await until('it counts for users no longer', async () => (await code({ agent: user })) === 401);
  await writeFile(files.proxies, proxies.cert);
  await until('it counts no longer', async () => (await code({ agent: front, headers: claims })) === 401);
  // A file without an authority leaves the authorities as they are.
  await writeFile(files.users, '');
  await writeFile(files.proxies, later.cert);
  await until('the file is refused', () =>
    logged.some(line => line.includes('--client-ca-file') && line.includes('has no certificate')),
  );
  const admin = await server.call('POST', reviews, { body: {} });
  assert.equal(admin.code, 201);
  assert.equal(await code({ agent: await createAgent(users, 'ulla') }), 201);
  assert.equal(await code({ agent: front, headers: claims }), 401);
});

test('a watch of an impersonated user ends with the certificate of the proxy whose user impersonates', async () => {
  const path = '/api/v1/namespaces/z/configmaps?watch=true&allowWatchBookmarks=true';
  const headers = {
    ...claims,
    'X-Own-Group': 'system:masters',
    'Impersonate-User': 'u',
    'Impersonate-Group': 'system:masters',
  };
  const watchWith = async (validDays: number) =>
    server.watch(path, { token: null, agent: await createAgent(proxies, 'front', { validDays }), headers });
  using lasting = await watchWith(1);
  using short = await watchWith(4 / secondsOfDay);
  assert.deepEqual([lasting.code, short.code], [200, 200]);
  await short.ended;
  assert.equal(short.events.at(-1)?.type, 'BOOKMARK');
  await created('/api/v1/namespaces/z/configmaps', { metadata: { name: 'still-seen' } });
  await until('the other watch goes on', () =>
    lasting.events.some(({ object }) => object.metadata.name === 'still-seen'),
  );
});

test('contradicting proxy flags are refused by name', async () => {
  await assert.rejects(startApiServer({ requestheaderUsernameHeaders: ['X-User'] }), {
    message: /--requestheader-username-headers needs --requestheader-client-ca-file/,
  });
});

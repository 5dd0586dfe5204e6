import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { issueCertificate } from '@binnacle/tls/testing';
import { createTokenSigner } from '@binnacle/tokens';
import { type ApiServer, startApiServer, until, type WatchStream } from './api-server.ts';
import { findPort } from './setup/find-port.ts';
import { openWebSocket } from './web-socket-client.ts';

const accounts = '/api/v1/namespaces/z/serviceaccounts';
const pods = '/api/v1/namespaces/z/pods';
const watched = '/api/v1/namespaces/z/configmaps?watch=true&allowWatchBookmarks=true';

let server: ApiServer;
before(async () => {
  server = await startApiServer({ tokenSuccessCacheTtl: 1, watchCredentialCheckInterval: 200 });
  await server.namespace('z');
  const { code, text } = await server.call(
    'POST',
    '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings',
    {
      body: {
        metadata: { name: 'accounts' },
        roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [
          {
            kind: 'Group',
            name: 'system:serviceaccounts:z',
            apiGroup: 'rbac.authorization.cluster.io',
          },
          { kind: 'User', name: 'guest', apiGroup: 'rbac.authorization.cluster.io' },
        ],
      },
    },
  );
  assert.equal(code, 201, text);
});
after(() => server?.[Symbol.asyncDispose]());

async function created(path: string, body: unknown) {
  const answer = await server.call('POST', path, { body });
  assert.equal(answer.code, 201, answer.text);
  return JSON.parse(answer.text);
}

async function requestToken(account: string, spec: object = {}): Promise<string> {
  return (await created(`${accounts}/${account}/token`, { spec })).status.token;
}

async function removed(path: string): Promise<void> {
  assert.equal((await server.call('DELETE', path)).code, 200);
}

/** A watch that began, with a credential that lasts or not. */
async function begun(call: Parameters<ApiServer['watch']>[1]): Promise<WatchStream> {
  const stream = await server.watch(watched, call);
  assert.equal(stream.code, 200);
  return stream;
}

/** A clean end of the stream, with the bookmark that a watch has when its time is up. */
async function assertEnded(stream: WatchStream): Promise<void> {
  await stream.ended;
  assert.equal(stream.events.at(-1)?.type, 'BOOKMARK');
  assert.equal(
    stream.events.some(({ type }) => type === 'ERROR'),
    false,
  );
}

test('watches end with the service account of their token, over a WebSocket and with impersonation too', async () => {
  using lasting = await begun({});
  using anonymous = await server.watch('/api/v1/namespaces/z/pods?watch=true', { token: null });
  assert.equal(anonymous.code, 403);
  await created(accounts, { metadata: { name: 'mortal' } });
  const token = await requestToken('mortal');
  using plain = await begun({ token });
  using impersonating = await begun({
    token,
    headers: { 'Impersonate-User': 'admin', 'Impersonate-Group': 'system:masters' },
  });
  using socket = await openWebSocket(server, watched, { token });
  assert.equal(socket.code, 101);
  await removed(`${accounts}/mortal`);
  await assertEnded(plain);
  await assertEnded(impersonating);
  await socket.closed;
  assert.equal(socket.closeCode(), 1000);
  await created('/api/v1/namespaces/z/configmaps', { metadata: { name: 'still-seen' } });
  await until('the other watch goes on', () =>
    lasting.events.some(({ object }) => object.metadata.name === 'still-seen'),
  );
});

test('a watch ends with the pod that its token is bound to', async () => {
  await created(accounts, { metadata: { name: 'runner' } });
  await created(pods, {
    metadata: { name: 'p' },
    spec: { serviceAccountName: 'runner', containers: [{ name: 'c', image: 'i' }] },
  });
  const token = await requestToken('runner', {
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' },
  });
  using free = await begun({ token: await requestToken('runner') });
  using bound = await begun({ token });
  await removed(`${pods}/p?gracePeriodSeconds=0`);
  await assertEnded(bound);
  await removed(`${accounts}/runner`);
  await assertEnded(free);
});

test('a watch ends when its token expires', async () => {
  const account = await created(accounts, { metadata: { name: 'short' } });
  const sign = createTokenSigner(await readFile(server.pki.serviceAccountKeyFile, 'utf8'));
  // Tokens are taken for ten seconds after their time, because clocks differ: these for three seconds from now.
  const expiring = () => {
    const now = Math.floor(Date.now() / 1000);
    return sign({
      iss: 'https://binnacle.local',
      sub: 'system:serviceaccount:z:short',
      aud: ['https://binnacle.local'],
      iat: now - 60,
      nbf: now - 60,
      exp: now - 6,
      'cluster.io': { namespace: 'z', serviceaccount: { name: 'short', uid: account.metadata.uid } },
    });
  };
  let token = await expiring();
  // On a machine that has much to do its time may be over before it is shown.
  await until('the token is taken', async () => {
    token = await expiring();
    return (await server.call('GET', '/api', { token })).code === 200;
  });
  using stream = await begun({ token });
  await assertEnded(stream);
  assert.equal((await server.call('GET', '/api', { token })).code, 401);
});

test('a watch ends when its certificate expires, which is then refused on the same connection', async () => {
  const directory = dirname(server.pki.caFile);
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  const ca = await read('ca.crt');
  const validSeconds = 8;
  const issued = await issueCertificate(
    { cert: ca, key: await read('ca.key') },
    { commonName: 'guest', usages: ['client'], validDays: validSeconds / 86_400 },
  );
  const agent = new Agent({ ...issued, ca, keepAlive: true });
  const first = await server.call('GET', '/api', { token: null, agent });
  assert.equal(first.code, 200);
  using stream = await begun({ token: null, agent });
  await assertEnded(stream);
  // The watch had a connection of its own or not: both have the certificate.
  for (let i = 0; i < 2; i++) {
    const later = await server.call('GET', '/api', { token: null, agent });
    assert.equal(later.code, 401);
    if (i === 0) assert.notEqual(later.connection, undefined);
  }
  agent.destroy();
});

test('the loss of the permission does not end a watch', async () => {
  const bindings = '/apis/rbac.authorization.cluster.io/v1/namespaces/z/rolebindings';
  await created(bindings, {
    metadata: { name: 'bob' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.cluster.io' }],
  });
  await until(
    'bob may watch',
    async () =>
      (await server.call('GET', '/api/v1/namespaces/z/configmaps', { token: 'bobtoken' })).code === 200,
  );
  using stream = await begun({ token: 'bobtoken' });
  await removed(`${bindings}/bob`);
  await until(
    'bob may not',
    async () =>
      (await server.call('GET', '/api/v1/namespaces/z/configmaps', { token: 'bobtoken' })).code === 403,
  );
  await created('/api/v1/namespaces/z/configmaps', { metadata: { name: 'seen-by-bob' } });
  await until('bob sees it', () =>
    stream.events.some(({ object }) => object.metadata.name === 'seen-by-bob'),
  );
});

test('no watch lasts longer than the maximum of the server', async () => {
  await using strict = await startApiServer({ maxWatchTimeout: 1_000 });
  for (const timeout of ['&timeoutSeconds=86400', '']) {
    using stream = await strict.watch(`/api/v1/namespaces?watch=true&allowWatchBookmarks=true${timeout}`);
    assert.equal(stream.code, 200);
    await assertEnded(stream);
  }
});

test('a proxied answer ends with its credentials during a stop of the server', {
  timeout: 50_000,
}, async () => {
  await using backend = createServer((_, response) => void response.writeHead(200).write('{}\n'));
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const containerPort = findPort(backend);
  await using stopping = await startApiServer({
    allowLoopbackProxy: true,
    shutdownDrainDuration: 120_000,
    tokenSuccessCacheTtl: 1,
    watchCredentialCheckInterval: 3_000,
  });
  const send = async (method: string, path: string, body?: unknown) => {
    const { code, text } = await stopping.call(method, path, {
      body,
      headers: { Accept: 'application/json' },
    });
    assert.ok(code < 300, text);
    return JSON.parse(text);
  };
  await stopping.namespace('z');
  await send('POST', accounts, { metadata: { name: 'a' } });
  await send('POST', '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings', {
    metadata: { name: 'a' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'z', name: 'a' }],
  });
  const containers = [{ name: 'c', image: 'i', ports: [{ containerPort }] }];
  const pod = await send('POST', pods, {
    metadata: { name: 'p' },
    spec: { serviceAccountName: 'a', containers },
  });
  const status = { podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
  await send('PUT', `${pods}/p/status`, { ...pod, status });
  const { token } = (await send('POST', `${accounts}/a/token`, { spec: {} })).status;
  using answer = await stopping.watch(`${pods}/p/proxy/`, { token });
  assert.equal(answer.code, 200);
  await send('DELETE', `${accounts}/a`);
  const stopped = stopping.stop();
  await assert.rejects(answer.ended, /aborted/);
  await stopped;
});

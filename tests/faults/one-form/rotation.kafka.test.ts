import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { serviceUsers } from '@binnacle/api-names';
import { ensureEtcdUsers, pollUntil } from '@binnacle/backends';
import {
  type ApiClient,
  createApiClient,
  loadClientConfiguration,
  writeClientConfiguration,
} from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { connectTopicAdministration, type KafkaConnection } from '@binnacle/kafka';
import { setUserPasswords } from '@binnacle/kafka/testing';
import { createPki, loadTls, type Pki, pkiPaths } from '@binnacle/tls';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { type ResumingWatch, startResumingWatch } from '../resuming-watch.ts';
import { accountClients, type SteadyWrites, startWrites } from '../steady-writes.ts';
import { sharedForm } from './shared-form.ts';

/** The services with certificates for calls between them. */
const services = ['storage', 'admission', 'token-review', 'webhook-dispatch', 'gateway'] as const;

const resources = new AsyncDisposableStack();
let form: Distributed;
let dataDirectory = '';
let pki: Pki;
let fresh: Pki;
let admin: ApiClient;
let watch: ResumingWatch;
let writes: SteadyWrites;

before(async () => {
  ({ form, dataDirectory } = await sharedForm());
  pki = pkiPaths(join(dataDirectory, 'pki'));
  const directory = resources.use(await createTemporaryDirectory());
  // The authorities of the API and of the backends stay, and issue other certificates.
  for (const name of ['ca', 'etcd-ca', 'redis-ca'])
    for (const end of ['crt', 'key'])
      await copyFile(join(dataDirectory, 'pki', `${name}.${end}`), join(directory.path, `${name}.${end}`));
  fresh = await createPki(directory.path, {
    services,
    clients: [{ name: 'controller-manager', commonName: serviceUsers.controllerManager }],
    backends: [
      { name: 'etcd', clients: [{ name: 'storage', commonName: 'binnacle-storage-client' }] },
      { name: 'redis', clients: [{ name: 'token-review', commonName: 'token-review' }] },
    ],
  });
  admin = resources.use(
    createApiClient({
      configuration: { ...loadClientConfiguration(form.adminConfiguration), servers: [...form.gateways] },
      userAgent: 'faults',
    }),
  );
  await admin.request({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'rotation' } },
  });
  const collection = '/api/v1/namespaces/rotation/configmaps';
  watch = await startResumingWatch(admin, collection);
  const clients = await accountClients(form, form.gateways);
  for (const client of clients) resources.use(client);
  writes = startWrites({ clients, perSecond: 20, collections: [collection] });
});

after(async () => {
  await writes?.stop();
  await watch?.stop();
  await resources.disposeAsync();
});

/** Writes a file in the place of another one at once. */
async function replace(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.next`, content, { mode: 0o600 });
  await rename(`${path}.next`, path);
}

/** Both pods of services. */
const bothPods = (...names: readonly string[]) => names.flatMap(name => [`${name}-1`, `${name}-2`]);

/** How often a pod has said that it uses changed files of a name. */
async function countUses(pod: string, files: string): Promise<number> {
  const log = await readFile(join(dataDirectory, 'run', `${pod}.log`), 'utf8');
  return log.split('\n').filter(line => line.includes('changed files are in use') && line.includes(files))
    .length;
}

/** Changes files, and waits until each of these pods uses what they hold now. */
async function change(
  files: string,
  { pods, write }: { readonly pods: readonly string[]; readonly write: () => Promise<unknown> },
): Promise<void> {
  const counts = await Promise.all(pods.map(pod => countUses(pod, files)));
  await write();
  for (const [index, pod] of pods.entries())
    await pollUntil(
      `${pod} to use ${files}`,
      async () => (await countUses(pod, files)) > (counts[index] ?? 0),
    );
}

/** Puts the certificate and key of a folder into another one. */
async function exchange(from: string, to: string): Promise<void> {
  for (const name of ['tls.key', 'tls.crt']) await replace(join(to, name), await readFile(join(from, name)));
}

test('authority and certificates of calls between services are exchanged in three steps', async () => {
  const old = await loadTls(pki.serviceDirectory('storage'));
  const { ca } = await loadTls(fresh.serviceDirectory('storage'));
  const pods = bothPods(...services);
  const trust = (authorities: Uint8Array) => async () => {
    for (const service of services) await replace(join(pki.serviceDirectory(service), 'ca.crt'), authorities);
  };
  await change('--tls-dir', { pods, write: trust(Buffer.concat([old.ca, ca])) });
  await change('--tls-dir', {
    pods,
    async write() {
      for (const service of services)
        await exchange(fresh.serviceDirectory(service), pki.serviceDirectory(service));
    },
  });
  await change('--tls-dir', { pods, write: trust(ca) });
  // Every connection to this pod is a new one, with certificates of the new authority on both sides.
  await form.restartWith('storage-1');
  await form.restartWith('admission-1');
});

test('the certificate of the API is exchanged', async () => {
  const before = await servedSerial();
  await exchange(fresh.serverDirectory, pki.serverDirectory);
  for (const gateway of form.gateways)
    await pollUntil(
      `${gateway} to serve another certificate`,
      async () => (await servedSerial(gateway)) !== before,
    );
});

/** The serial number of the certificate that a gateway shows. */
async function servedSerial(gateway = form.gateways[0] ?? ''): Promise<string> {
  const { hostname: host, port } = new URL(gateway);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const ca = await readFile(pki.caFile);
  const socket = connect({ host, port: Number(port), ca }, () => {
    resolve(socket.getPeerCertificate().serialNumber);
    socket.end();
  });
  socket.on('error', reject);
  return promise;
}

test('the certificates for etcd and Redis are exchanged, and Kafka may have another authority', async () => {
  for (const [backend, client] of [
    ['etcd', 'storage'],
    ['redis', 'token-review'],
  ] as const)
    await change(`TLS files of ${backend}`, {
      pods: bothPods(client),
      write: () =>
        exchange(fresh.backendClientDirectory(backend, client), pki.backendClientDirectory(backend, client)),
    });
  for (const client of ['storage', 'admission', 'gateway']) {
    const file = join(pki.backendClientDirectory('kafka', client), 'ca.crt');
    const added = await readFile(join(fresh.serviceDirectory('storage'), 'ca.crt'));
    await change('TLS files of kafka', {
      pods: bothPods(client),
      write: async () => replace(file, Buffer.concat([await readFile(file), added])),
    });
  }
});

test('the password for etcd is exchanged, and back', async () => {
  const file = join(pki.backendClientDirectory('etcd', 'storage'), 'password');
  const administrator = pki.backendClientDirectory('etcd', 'administrator');
  const old = (await readFile(file, 'utf8')).trimEnd();
  // A restart of etcd sets the password of its start: it has to be that one in the end.
  for (const password of [randomBytes(32).toString('hex'), old]) {
    await replace(file, `${password}\n`);
    await ensureEtcdUsers({
      endpoint: form.etcd.endpoint,
      administrator: {
        caFile: join(administrator, 'ca.crt'),
        certFile: join(administrator, 'tls.crt'),
        keyFile: join(administrator, 'tls.key'),
      },
      users: [{ name: 'storage', password, prefix: '/binnacle' }],
    });
    const enough = writes.created.length + 20;
    await pollUntil('writes with the new password', async () => writes.created.length >= enough);
  }
});

/** The passwords of Kafka's users are in files of these services. */
const kafkaUsers = ['storage', 'gateway', 'admission'] as const;

test('the passwords for Kafka are exchanged, and every connection is made anew with them', async () => {
  const { ca, cert, key } = await loadTls(pki.backendServerDirectory('kafka'));
  const as = (username: string, password: string): KafkaConnection => ({
    brokers: form.kafka.brokers,
    clientId: 'rotation',
    tls: { ca, identity: { cert, key } },
    user: { mechanism: 'scram-sha-512', username, password: async () => password },
  });
  const { brokerPassword } = JSON.parse(
    await readFile(join(form.kafka.dataDirectory, 'formatted-for.json'), 'utf8'),
  ) as { brokerPassword: string }; // Written by the local form.
  const fileOf = (user: string) => join(pki.backendClientDirectory('kafka', user), 'password');
  const old = await readFile(fileOf('storage'), 'utf8');
  const passwords = new Map(kafkaUsers.map(user => [user as string, randomBytes(32).toString('hex')]));
  for (const [user, password] of passwords) await replace(fileOf(user), `${password}\n`);
  await setUserPasswords(as('binnacle-broker', brokerPassword), passwords);
  await assert.rejects(connectTopicAdministration(as('storage', old.trimEnd())), {
    name: 'BackendRefusal',
    kind: 'credentials',
  });
  // Connections of before stay until the broker ends them.
  await form.kafka.kill();
  const followers = bothPods('gateway', 'admission');
  for (const pod of followers)
    await pollUntil(`${pod} to follow storage`, () =>
      isReady(pod, 'change-feed', ': changes come from storage directly'),
    );
  await form.kafka.restart();
  for (const pod of followers) await pollUntil(`${pod} to follow Kafka`, () => isReady(pod, 'change-feed'));
  const enough = writes.created.length + 20;
  await pollUntil('writes after that', async () => writes.created.length >= enough);
});

/** Whether a check of a pod is fulfilled, with this remark. */
async function isReady(pod: string, check: string, remark = ''): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${form.operationsPort(pod)}/readyz?verbose`, {
    signal: AbortSignal.timeout(20_000),
  });
  return (await answer.text()).split('\n').includes(`[+]${check} ok${remark}`);
}

test('the password for Redis is exchanged while Redis takes both, and every connection is made anew with it', async () => {
  const file = join(pki.backendClientDirectory('redis', 'token-review'), 'password');
  const old = (await readFile(file, 'utf8')).trimEnd();
  const next = randomBytes(32).toString('hex');
  const administrator = randomBytes(32).toString('hex');
  // The local form has no administrator of Redis.
  await appendFile(
    join(form.redis.dataDirectory, 'users.acl'),
    `user administrator on >${administrator} +@all\n`,
  );
  await form.redis.restart();
  const administer = (...commands: string[]) => askRedis(`AUTH administrator ${administrator}`, ...commands);
  const connections = async () =>
    [...(await administer('CLIENT LIST')).matchAll(/^(?:\$\d+\r\n)?id=(\d+) .* user=token-review /gm)].map(
      ([, id]) => id,
    );
  await pollUntil('both pods to connect', async () => (await connections()).length >= 2);
  assert.match(await administer(`ACL SETUSER token-review >${next}`), /^\+OK\r\n\+OK\r\n/);
  await replace(file, `${next}\n`);
  // A restart of Redis reads the file of users.
  assert.match(await administer(`ACL SETUSER token-review <${old}`, 'ACL SAVE'), /^(\+OK\r\n){3}/);
  assert.match(await askRedis(`AUTH token-review ${old}`), /^-WRONGPASS/);
  const before = new Set(await connections());
  // Connections of before stay until the server ends them.
  await administer('CLIENT KILL USER token-review');
  await pollUntil('both pods to connect with the new password', async () => {
    const after = await connections();
    return after.length >= 2 && after.every(id => !before.has(id));
  });
  for (const pod of bothPods('token-review'))
    await pollUntil(`${pod} to share decisions`, () => isReady(pod, 'shared-decisions'));
});

/** Sends commands to Redis over a connection of their own, with the certificate of token-review, and reads the answers. */
async function askRedis(...commands: string[]): Promise<string> {
  const { ca, cert, key } = await loadTls(pki.backendClientDirectory('redis', 'token-review'));
  const socket = connect({ host: '127.0.0.1', port: form.redis.port, ca, cert, key });
  socket.write([...commands, 'QUIT', ''].join('\r\n'));
  let answers = '';
  for await (const bytes of socket) answers += bytes;
  return answers;
}

test('the certificate of the controllers is exchanged, and they work on with it', async () => {
  const file = join(dataDirectory, 'controller-manager.conf');
  const { cert, key } = await loadTls(fresh.clientDirectory('controller-manager'));
  await change('--kubeconfig', {
    pods: bothPods('controller-manager'),
    async write() {
      const configuration = { ...loadClientConfiguration(file), clientCertificate: cert, clientKey: key };
      await writeClientConfiguration(`${file}.next`, configuration, {
        cluster: 'binnacle',
        user: 'controller-manager',
      });
      await rename(`${file}.next`, file);
    },
  });
  await admin.request({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'rotation-of-controllers' } },
  });
  const account = '/api/v1/namespaces/rotation-of-controllers/serviceaccounts/default';
  await pollUntil('the account of a new namespace', () =>
    admin.request({ method: 'GET', path: account }).then(
      () => true,
      () => false,
    ),
  );
});

test('the key of service-account tokens is exchanged in three steps, and tokens of before stay valid until the last', async () => {
  const [oldPublic, newPublic] = [
    await readFile(pki.serviceAccountPublicKeyFile, 'utf8'),
    await readFile(fresh.serviceAccountPublicKeyFile, 'utf8'),
  ];
  const verify = (keys: string) => () => replace(pki.serviceAccountPublicKeyFile, keys);
  const [first = '', second = ''] = form.gateways;
  const before = await issue(first);
  await change('--service-account-key-file', {
    pods: bothPods('token-review'),
    write: verify(`${oldPublic}\n${newPublic}`),
  });
  await change('--service-account-signing-key-file', {
    pods: bothPods('gateway'),
    write: async () => replace(pki.serviceAccountKeyFile, await readFile(fresh.serviceAccountKeyFile)),
  });
  const later = await issue(second);
  assert.notEqual(keyId(later), keyId(before));
  assert.deepEqual([await isValid(before), await isValid(later)], [true, true]);
  // The accounts that write have tokens of before: the old key goes when they have ended.
  const outcomes = await writes.stop();
  assert.deepEqual(outcomes, { 201: writes.begun });
  await change('--service-account-key-file', { pods: bothPods('token-review'), write: verify(newPublic) });
  await pollUntil('the end of cached decisions', async () => !(await isValid(before)));
  assert.equal(await isValid(later), true);
});

async function issue(gateway: string): Promise<string> {
  await using client = createApiClient({
    configuration: { ...loadClientConfiguration(form.adminConfiguration), servers: [gateway] },
    userAgent: 'faults',
  });
  const { status } = await client.request<{ status: { token: string } }>({
    method: 'POST',
    path: '/api/v1/namespaces/rotation/serviceaccounts/default/token',
    body: { spec: {} },
  });
  return status.token;
}

async function isValid(token: string): Promise<boolean> {
  const { status } = await admin.request<{ status: { authenticated?: boolean } }>({
    method: 'POST',
    path: '/apis/authentication.cluster.io/v1/tokenreviews',
    body: { spec: { token } },
  });
  return status.authenticated === true;
}

function keyId(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

test('the key of the change feed is exchanged, and no reader misses a record', async () => {
  const file = join(pki.backendClientDirectory('feed', 'keys'), 'feed.key');
  const old = (await readFile(file, 'utf8')).trim();
  const next = randomBytes(32).toString('base64');
  const pods = bothPods('storage', 'admission', 'gateway');
  // The old one stays as long as the topic has records of it.
  for (const lines of [
    [old, next],
    [next, old],
  ]) {
    await change('--feed-key-file', { pods, write: () => replace(file, `${lines.join('\n')}\n`) });
    await admin.request({
      method: 'POST',
      path: '/api/v1/namespaces/rotation/configmaps',
      body: { metadata: { name: lines[0] === next ? 'key-after' : 'key-before' } },
    });
  }
});

test('all the while every write was done, and the watch has seen each once', async () => {
  const created = [...writes.created, 'key-after', 'key-before'].toSorted();
  await pollUntil('the watch to have seen every object', async () => watch.seen.length >= created.length);
  assert.deepEqual([...watch.seen].toSorted(), created);
  assert.deepEqual(watch.failures, []);
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { BackendRefusal, backendRefusalIn, type RefusalKind } from '@binnacle/backend-access';
import { pollUntil } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { isStorageError, storageKeyFrom } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { createPki, loadTls } from '@binnacle/tls';
import { leadByEtcdLease } from '../../leader-election/lead-by-etcd-lease.ts';
import { startFaultyProxy } from '../../test-drivers/faulty-proxy.ts';
import { lockedPrefix, useLockedEtcd } from '../../test-drivers/locked-etcd.ts';
import type { EtcdAccess } from './access-report.ts';
import { connectEtcd } from './connection.ts';
import type { EtcdOptions } from './etcd-options.ts';
import { createEtcdStorage } from './etcd-storage.ts';

const locked = useLockedEtcd('--auth-token-ttl=1');

const key = storageKeyFrom('/core/configmaps/ns/a');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });
const put = (value: string) => ({
  preconditions: [],
  puts: [{ key, value: Buffer.from(value) }],
  deletes: [],
});

/** Makes etcd forget the tokens of the user, as a change of its password does. */
const forgetTokens = () =>
  locked().asRoot(({ auth }) => auth.userChangePassword({ name: 'storage', password: 'password' }));

async function findRefusal(work: Promise<unknown>): Promise<BackendRefusal> {
  const thrown = await work.then(
    () => assert.fail('the call was answered'),
    (error: unknown) => error,
  );
  assert.ok(isStorageError(thrown, 'unavailable'), String(thrown));
  const refusal = backendRefusalIn(thrown);
  assert.ok(refusal !== undefined, String(thrown.cause));
  return refusal;
}

const refusals: readonly {
  readonly name: string;
  readonly kind: RefusalKind;
  options(): Promise<EtcdOptions>;
}[] = [
  {
    name: 'a wrong password',
    kind: 'credentials',
    async options() {
      const passwordFile = `${locked().passwordFile}-wrong`;
      await writeFile(passwordFile, 'wrong');
      return { ...(await locked().withPassword('/refused')), user: { name: 'storage', passwordFile } };
    },
  },
  {
    name: 'an unknown user',
    kind: 'credentials',
    options: async () => ({
      ...(await locked().withPassword('/refused')),
      user: { name: 'nobody', passwordFile: locked().passwordFile },
    }),
  },
  {
    name: 'a certificate that is no user, without a password',
    kind: 'permission',
    async options() {
      const { user: _, ...options } = await locked().withPassword('/refused');
      return options;
    },
  },
  {
    name: 'a prefix that the user has no rights on',
    kind: 'permission',
    options: async () => ({ ...(await locked().withPassword('')), prefix: '/other' }),
  },
  {
    name: 'no client certificate',
    kind: 'tls',
    async options() {
      const options = await locked().withPassword('/refused');
      return { ...options, ...(options.tls ? { tls: { ...options.tls, identity: undefined } } : {}) };
    },
  },
  {
    name: 'the certificate of a service',
    kind: 'tls',
    async options() {
      const pki = await createPki(join(locked().passwordFile, '..', 'services'), { services: ['gateway'] });
      const { cert, key: privateKey } = await loadTls(pki.serviceDirectory('gateway'));
      const options = await locked().withPassword('/refused');
      const identity = { cert, key: privateKey };
      return { ...options, ...(options.tls ? { tls: { ...options.tls, identity } } : {}) };
    },
  },
  {
    name: 'another authority',
    kind: 'tls',
    async options() {
      const pki = await createPki(join(locked().passwordFile, '..', 'services'), { services: ['gateway'] });
      const { ca } = await loadTls(pki.serviceDirectory('gateway'));
      const options = await locked().withPassword('/refused');
      return { ...options, ...(options.tls ? { tls: { ...options.tls, ca } } : {}) };
    },
  },
  {
    name: 'no TLS at all',
    kind: 'tls',
    options: async () => ({ endpoints: [`http://${locked().server.address}`], prefix: '/refused' }),
  },
];

for (const { name, kind, options } of refusals) {
  test(`${name} is refused (${kind}): calls are unavailable, and the refusal is logged once`, async () => {
    const told: EtcdAccess[] = [];
    using connection = connectEtcd({ ...(await options()), onAccess: access => told.push(access) });
    const storage = createEtcdStorage(connection);
    for (let attempt = 0; attempt < 3; attempt++) {
      assert.equal((await findRefusal(storage.get(key, call()))).kind, kind);
      assert.equal((await findRefusal(storage.typeRevision(undefined, call()))).kind, kind);
    }
    const message = new BackendRefusal('etcd', kind).message;
    await assert.rejects(storage.transact(put('a'), call()), { kind: 'unavailable', message });
    // The store reads its revision floor before it writes: the refusal of the write itself shows on the connection alone.
    const write = { request_put: { key: connection.layout.toBytes(key), value: Buffer.from('a') } };
    await assert.rejects(connection.txn({ compare: [], success: [write] }, call()), { kind });
    const kinds = told.map(access => (access.kind === 'refused' ? access.refusal.kind : access.kind));
    // A permission is one for each operation; a password or certificate is refused as a whole.
    assert.deepEqual(kinds, kind === 'permission' ? [kind, kind] : [kind]);
  });
}

test('a server with another name than its certificate is refused', async () => {
  const options = await locked().withPassword('/refused');
  // Another loopback address, which the certificate does not name.
  await using proxy = await startFaultyProxy(locked().server.endpoint, '127.0.0.2');
  const endpoints = [proxy.endpoint.replace('http:', 'https:')];
  using connection = connectEtcd({ ...options, endpoints });
  assert.equal((await findRefusal(createEtcdStorage(connection).get(key, call()))).kind, 'tls');
});

test('a corrected password file is used without a restart', async () => {
  const told: string[] = [];
  const passwordFile = `${locked().passwordFile}-repaired`;
  await writeFile(passwordFile, 'wrong');
  const options = await locked().withPassword('/repaired');
  using connection = connectEtcd({
    ...options,
    user: { name: 'storage', passwordFile },
    onAccess: access => told.push(access.kind),
  });
  const storage = createEtcdStorage(connection);
  await findRefusal(storage.get(key, call()));
  await writeFile(passwordFile, 'password');
  assert.equal((await storage.get(key, call())).record, undefined);
  assert.deepEqual(told, ['refused', 'accepted']);
});

test('a revoked role is a refusal, until it is granted again', async () => {
  const options = await locked().withCertificate('/revoked');
  using connection = connectEtcd(options);
  const storage = createEtcdStorage(connection);
  await storage.transact(put('a'), call());
  const grant = { user: 'by-certificate', role: 'by-certificate' };
  await locked().asRoot(({ auth }) => auth.userRevokeRole({ name: grant.user, role: grant.role }));
  assert.equal((await findRefusal(storage.typeRevision(undefined, call()))).kind, 'permission');
  await locked().asRoot(({ auth }) => auth.userGrantRole(grant));
  assert.ok((await storage.get(key, call())).record);
});

test('tokens that etcd forgets during reads, writes and a watch lose no event or write', async () => {
  await using proxy = await startFaultyProxy(locked().server.endpoint);
  const options = await locked().withPassword('/forgotten');
  using direct = connectEtcd(options);
  using faulty = connectEtcd({ ...options, endpoints: [proxy.endpoint.replace('http:', 'https:')] });
  const [storage, watched] = [createEtcdStorage(direct), createEtcdStorage(faulty)];
  const after = await watched.typeRevision(undefined, call());
  const reader = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { changes } of watched.changes({ after }, { ...call(), signal: reader.signal }))
      seen.push(...changes.map(change => change.revision));
  })();
  const revisions: number[] = [];
  const write = async () => revisions.push((await storage.transact(put('a'), call())).revision);
  await write();
  for (let round = 0; round < 4; round++) {
    await forgetTokens();
    // With the connection cut the watch has to begin anew, with a token that is no longer good.
    if (round % 2 === 1) proxy.cut();
    for (let index = 0; index < 10; index++) await write();
  }
  await locked().server.kill();
  await locked().server.restart();
  await pollUntil('a write after the restart', () => write().then(() => true));
  await pollUntil('every event', () => (seen.at(-1) ?? 0) >= (revisions.at(-1) ?? 0));
  reader.abort();
  await reading;
  const acknowledged = new Set(revisions);
  assert.deepEqual(
    seen.filter(revision => acknowledged.has(revision)),
    revisions,
  );
  assert.deepEqual(seen, [...new Set(seen)]);
});

test('leadership and watches survive the expiry of many tokens', async () => {
  const options = await locked().withPassword('/leading');
  using connection = connectEtcd(options);
  const notes: string[] = [];
  const stop = new AbortController();
  const election = { connection, name: 'test', identity: 'a', ttlSeconds: 3, log: silentLogger };
  const running = leadByEtcdLease(election)(async term => {
    notes.push('begins');
    await new Promise(resolve => term.addEventListener('abort', resolve, { once: true }));
    notes.push('ends');
  }, stop.signal);
  await pollUntil('it to lead', () => notes.length === 1);
  // Longer than the lease and several lives of the token: what is waited for is that nothing happens.
  await new Promise(resolve => setTimeout(resolve, 4500));
  assert.deepEqual(notes, ['begins']);
  stop.abort();
  await running;
});

test('authentication that is enabled while storage runs is used', async () => {
  await locked().asRoot(({ auth }) => auth.authDisable());
  const told: string[] = [];
  const options = await locked().withPassword('/later');
  using connection = connectEtcd({ ...options, onAccess: access => told.push(access.kind) });
  const storage = createEtcdStorage(connection);
  await storage.transact(put('a'), call());
  await storage.get(key, call());
  await locked().asRoot(({ auth }) => auth.authEnable());
  assert.ok((await storage.get(key, call())).record);
  assert.deepEqual(told, ['authentication-off']);
});

test('the user has rights on its prefix only, and none on users', async () => {
  const tls = await loadTls(locked().pki.backendClientDirectory('etcd', 'by-certificate'));
  const { Etcd3 } = await import('etcd3');
  const client = new Etcd3({
    hosts: [locked().server.endpoint],
    credentials: { rootCertificate: tls.ca, certChain: tls.cert, privateKey: tls.key },
  });
  try {
    const range = (text: string) => client.kv.range({ key: Buffer.from(text) });
    await range(`${lockedPrefix}/a`);
    await range(`${lockedPrefix}-reserved/a`);
    for (const text of ['/', `${lockedPrefix}1`, '/other', lockedPrefix])
      await assert.rejects(range(text), /permission denied/, text);
    await assert.rejects(client.auth.userList(), /permission denied/);
    await assert.rejects(client.auth.authDisable(), /permission denied/);
  } finally {
    client.close();
  }
});

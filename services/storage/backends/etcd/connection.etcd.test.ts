import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { after, before, test } from 'node:test';
import { createServer } from 'node:tls';
import { backendRefusalIn } from '@binnacle/backend-access';
import { type EtcdServer, findFreePort, pollUntil, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { createPki, loadTls, type TlsMaterial } from '@binnacle/tls';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

const key = storageKeyFrom('/core/configmaps/ns/a');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });

test('requests and watches move from stopped members to running ones', async () => {
  const dead = `http://127.0.0.1:${await findFreePort()}`;
  for (let round = 0; round < 6; round++) {
    using connection = connectEtcd({ endpoints: [dead, etcd.endpoint, dead], prefix: `/members-${round}` });
    const storage = createEtcdStorage(connection);
    const controller = new AbortController();
    const outcome = await storage.transact(
      { preconditions: [], puts: [{ key, value: Buffer.from('a') }], deletes: [] },
      call(),
    );
    assert.ok(outcome.committed);
    for await (const batch of storage.changes(
      { after: outcome.revision - 1 },
      { ...call(), signal: controller.signal },
    )) {
      if (batch.changes.length > 0) controller.abort();
    }
  }
});

/** A TLS front for etcd that takes only clients with a certificate of the authority. */
async function startTlsFront(server: TlsMaterial) {
  const front = createServer(
    { ...server, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    socket => {
      const upstream = connect(etcd.port, '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    },
  );
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  return { endpoint: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, front };
}

test('etcd is reached over TLS with a client certificate, and not without one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-etcd-tls-'));
  const pki = await createPki(directory, { services: ['storage'] });
  const server = await loadTls(pki.serviceDirectory('storage'));
  const { endpoint, front } = await startTlsFront(server);
  const { ca, cert, key: privateKey } = server;
  {
    using connection = connectEtcd({
      endpoints: [endpoint],
      prefix: '/tls',
      tls: { ca, identity: { cert, key: privateKey } },
    });
    assert.equal((await createEtcdStorage(connection).get(key, call())).record, undefined);
  }
  {
    using connection = connectEtcd({
      endpoints: [endpoint],
      prefix: '/tls',
      tls: { ca, identity: undefined },
    });
    await assert.rejects(createEtcdStorage(connection).get(key, call()), { kind: 'unavailable' });
  }
  front.close();
  await rm(directory, { recursive: true });
});

/** An address that leads to one server and, after `lead`, to another one. */
async function startAddress(first: EtcdServer) {
  let { port } = first;
  const sockets = new Set<Socket>();
  const server = createTcpServer(client => {
    const upstream = connect(port, '127.0.0.1');
    pipeline(client, upstream, client, () => {});
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    lead(to: EtcdServer) {
      ({ port } = to);
      cut();
    },
    [Symbol.dispose]() {
      server.close();
      cut();
    },
  };
}

test('a cluster that takes the place of the first one is refused, and says so once', async () => {
  await using other = await startEtcd();
  using address = await startAddress(etcd);
  const refusals: string[] = [];
  using connection = connectEtcd({
    endpoints: [address.endpoint],
    prefix: '/replaced',
    onAccess: access => access.kind === 'refused' && refusals.push(access.refusal.message),
  });
  const storage = createEtcdStorage(connection);
  const create = { preconditions: [], puts: [{ key, value: Buffer.from('a') }], deletes: [] };
  assert.ok((await storage.transact(create, call())).committed);

  address.lead(other);
  const refused = async (): Promise<boolean> =>
    storage.get(key, call()).then(
      () => assert.fail('the other cluster was read'),
      (error: unknown) => backendRefusalIn(error)?.kind === 'replaced',
    );
  await pollUntil('the refusal', refused);
  await assert.rejects(async () => storage.transact(create, call()), /replaced or set back/);
  address.lead(etcd);
  await assert.rejects(
    async () => storage.get(key, call()),
    /etcd was replaced or set back since this process began/,
  );
  assert.deepEqual(refusals, ['etcd was replaced or set back since this process began']);

  using elsewhere = connectEtcd({ endpoints: [other.endpoint], prefix: '/replaced' });
  assert.equal((await createEtcdStorage(elsewhere).get(key, call())).record, undefined);
});

test('an etcd that comes back with earlier data is refused until the process begins anew', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-etcd-back-'));
  try {
    await using server = await startEtcd({ dataDirectory: directory });
    const begin = () => connectEtcd({ endpoints: [server.endpoint], prefix: '/back' });
    using connection = begin();
    const storage = createEtcdStorage(connection);
    const create = { preconditions: [], puts: [{ key, value: Buffer.from('a') }], deletes: [] };
    assert.ok((await storage.transact(create, call())).committed);

    await server.kill();
    await rm(join(directory, 'etcd'), { recursive: true });
    await server.restart();
    const outcome = () =>
      storage.get(key, call()).then(
        () => 'an answer',
        (error: unknown) => backendRefusalIn(error)?.kind,
      );
    await pollUntil('the refusal', async () => (await outcome()) === 'replaced');
    using anew = begin();
    assert.equal((await createEtcdStorage(anew).get(key, call())).record, undefined);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

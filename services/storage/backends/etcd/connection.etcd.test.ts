import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createServer } from 'node:tls';
import { type EtcdServer, findFreePort, startEtcd } from '@binnacle/backends';
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendRefusalIn, type ClientTls } from '@binnacle/backend-access';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { useLockedEtcd } from '../../test-drivers/locked-etcd.ts';
import { callOfTest } from '../../test-drivers/stored-samples.ts';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

const etcd = useLockedEtcd();

/** A connection whose certificate is the user, and a function that exchanges it. */
async function connectWithCertificate(prefix: string) {
  const { tls, ...options } = await etcd().withCertificate(prefix);
  assert.ok(tls);
  let current: ClientTls = tls;
  let listener = (): void => {};
  const connection = connectEtcd({
    ...options,
    tls: {
      get ca() {
        return current.ca;
      },
      get identity() {
        return current.identity;
      },
    },
    onTlsChange(added) {
      listener = added;
    },
  });
  const exchange = (next: ClientTls): void => {
    current = next;
    listener();
  };
  return { connection, own: tls, exchange };
}

const write = (storage: Storage, name: string) => {
  const key = storageKeyFrom(`/core/configmaps/default/${name}`);
  return storage.transact(
    { preconditions: [], puts: [{ key, value: Buffer.from(name) }], deletes: [] },
    callOfTest(),
  );
};

test('requests go out with the certificate of the moment', async () => {
  const { connection, own, exchange } = await connectWithCertificate('/exchanged');
  using _connection = connection;
  const storage = createEtcdStorage(connection);
  assert.ok((await write(storage, 'a')).committed);
  const { tls: stranger } = await etcd().withPassword('/exchanged');
  assert.ok(stranger);
  exchange(stranger);
  await assert.rejects(
    write(storage, 'b'),
    thrown =>
      backendRefusalIn(thrown)?.kind === 'permission' || backendRefusalIn(thrown)?.kind === 'credentials',
  );
  exchange(own);
  assert.ok((await write(storage, 'c')).committed);
});

test('writes and a watch go on while the client of before is closed', async () => {
  const { connection, own, exchange } = await connectWithCertificate('/watched');
  using _connection = connection;
  const storage = createEtcdStorage(connection);
  await write(storage, 'w0');
  const ending = new AbortController();
  const seen: string[] = [];
  const call = { ...callOfTest(), signal: ending.signal };
  const watching = (async () => {
    for await (const { changes } of storage.changes({ from: 'window-start' }, call))
      for (const { key } of changes) {
        seen.push(key.slice(key.lastIndexOf('/') + 1));
        if (seen.at(-1) === 'last') return;
      }
  })();
  exchange(own);
  const since = performance.now();
  const written = ['w0'];
  // Longer than the client of before lives.
  for (let index = 1; performance.now() - since < 12_000; index++) {
    assert.ok((await write(storage, `w${index}`)).committed);
    written.push(`w${index}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await write(storage, 'last');
  await watching;
  ending.abort();
  assert.deepEqual(seen, [...written, 'last']);
});

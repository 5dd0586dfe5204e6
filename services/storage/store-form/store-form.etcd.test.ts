import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { groups } from '@binnacle/api-names';
import { pollUntil } from '@binnacle/backends';
import { isStorageError, type Storage, storageKeyFrom, storeFormKey } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { connectEtcd, type EtcdConnection } from '../backends/etcd/connection.ts';
import { createEtcdStorage } from '../backends/etcd/etcd-storage.ts';
import { type EncryptionSettings, readEncryptionSettings } from '../encryption/encryption-at-rest.ts';
import { createStorageService } from '../storage-service.ts';
import { startFaultyProxy } from '../test-drivers/faulty-proxy.ts';
import { useSharedEtcd } from '../test-drivers/shared-etcd.ts';
import {
  registerEncryptedTypesTests,
  registerStoreFormTests,
  strangeForm,
  strangeFormRefusal,
} from '../test-drivers/store-form-tests.ts';
import { callOfTest, makeTestFolder, putValues, storedConfigMap } from '../test-drivers/stored-samples.ts';
import { encodeStoreForm, readStoreForm, type StoreForm, StoreFormRefusal } from './store-form.ts';
import { searchStoredValues } from './stored-values.ts';

const etcd = useSharedEtcd();
let stores = 0;
const connect = (endpoint = etcd().endpoint, prefix = `/form-${stores++}`) =>
  connectEtcd({ endpoints: [endpoint], prefix });

const open = async () => {
  const connection = connect();
  return {
    ...createEtcdStorage(connection),
    [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
  };
};
registerStoreFormTests('etcd', open);
registerEncryptedTypesTests('etcd', open);

/** Begins a migration as a release does: the record of the form and the guard of batches change in one transaction. */
async function beginMigration(connection: EtcdConnection, form: StoreForm): Promise<void> {
  const put = (key: string, value: Uint8Array) => ({
    request_put: { key: connection.layout.toBytes(storageKeyFrom(key)), value: Buffer.from(value) },
  });
  const success = [put(storeFormKey, encodeStoreForm(form)), put('/_guard', Buffer.alloc(0))];
  await connection.txn({ compare: [], success }, callOfTest());
}

const write = (storage: Storage, name: string) => {
  const key = storageKeyFrom(`/core/configmaps/default/${name}`);
  const puts = [{ key, value: storedConfigMap(name, 'text') }];
  return storage.transact({ preconditions: [], puts, deletes: [] }, callOfTest());
};
const isShutOut = (thrown: unknown) => {
  assert.ok(isStorageError(thrown, 'unavailable'), String(thrown));
  assert.ok(thrown.cause instanceof StoreFormRefusal, String(thrown.cause));
  return true;
};

test('a pod that runs while a newer release migrates the store commits nothing afterwards', async () => {
  const prefix = `/form-${stores++}`;
  using own = connect(etcd().endpoint, prefix);
  using other = connect(etcd().endpoint, prefix);
  const storage = createEtcdStorage(own);
  await write(storage, 'before');
  await beginMigration(other, strangeForm);
  // The second write meets a guard that the first one has found moved.
  for (const name of ['a', 'b']) await assert.rejects(write(storage, name), isShutOut);
  const many = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => write(storage, `m${index}`)),
  );
  for (const each of many) assert.ok(each.status === 'rejected' && isShutOut(each.reason));
  const { records } = await createEtcdStorage(other).list(
    { prefix: storageKeyFrom('/core/configmaps/') },
    callOfTest(),
  );
  assert.deepEqual(
    records.map(({ key }) => key),
    ['/core/configmaps/default/before'],
  );
});

test('a pod goes on in a newer form that it may use', async () => {
  const prefix = `/form-${stores++}`;
  using own = connect(etcd().endpoint, prefix);
  const storage = createEtcdStorage(own);
  await write(storage, 'before');
  await beginMigration(own, { ...strangeForm, usableFrom: 1 });
  for (const name of ['a', 'b']) assert.ok((await write(storage, name)).committed);
});

test('a pod that looks for a lost reply while the store is migrated does not open the store for itself', async () => {
  const prefix = `/form-${stores++}`;
  await using proxy = await startFaultyProxy(etcd().endpoint);
  using own = connect(proxy.endpoint, prefix);
  using other = connect(etcd().endpoint, prefix);
  const storage = createEtcdStorage(own);
  await write(storage, 'before');
  proxy.mode = 'hold-replies';
  const lost = write(storage, 'lost');
  const direct = createEtcdStorage(other);
  await pollUntil('the write whose reply is held', async () => {
    const found = await direct.get(storageKeyFrom('/core/configmaps/default/lost'), callOfTest());
    return found.record !== undefined;
  });
  await beginMigration(other, strangeForm);
  await assert.rejects(lost);
  proxy.release();
  await assert.rejects(write(storage, 'after'), thrown => isStorageError(thrown));
  await pollUntil('the pod to know the form', () =>
    write(storage, 'after').then(
      () => assert.fail('a pod of before has written'),
      thrown => isStorageError(thrown, 'unavailable') && thrown.cause instanceof StoreFormRefusal,
    ),
  );
  const after = await direct.get(storageKeyFrom('/core/configmaps/default/after'), callOfTest());
  assert.equal(after.record, undefined);
});

/** Starts the service on a store. */
const startService = (prefix: string, encryption?: EncryptionSettings) =>
  createStorageService({
    backend: { kind: 'etcd', etcd: { endpoints: [etcd().endpoint], prefix } },
    log: silentLogger,
    metrics: createMetrics({ process: false }),
    ...(encryption && { encryption }),
  });

test('a service ends with the refusal soon after a newer release has begun to migrate its store', async () => {
  const prefix = `/form-${stores++}`;
  await using service = await startService(prefix);
  await putValues(service.storage, { '/core/configmaps/default/a': storedConfigMap('a', 'text') });
  using other = connect(etcd().endpoint, prefix);
  await beginMigration(other, strangeForm);
  await assert.rejects(service.refused, { name: 'StoreFormRefusal', message: strangeFormRefusal });
});

test('a service without an encryption configuration ends soon after another one encrypts what it writes', async () => {
  const prefix = `/form-${stores++}`;
  const folder = await makeTestFolder();
  await using plain = await startService(prefix);
  await using _encrypting = await startService(prefix, await encryptionOfSecrets(folder));
  await assert.rejects(plain.refused, {
    name: 'StoreFormRefusal',
    message:
      /^another process encrypts values of \/core\/secrets\/, .* set --encryption-provider-config \(.*\) to that of the other process$/,
  });
});

test('a service that encrypts names its types once more when another process has taken them from the record', async () => {
  const prefix = `/form-${stores++}`;
  await using encrypting = await startService(prefix, await encryptionOfSecrets(await makeTestFolder()));
  using other = connect(etcd().endpoint, prefix);
  const storage = createEtcdStorage(other);
  await searchStoredValues(storage, undefined, new AbortController().signal);
  await pollUntil('the types to be named', async () => {
    const form = await readStoreForm(storage, callOfTest());
    return form?.encryptedTypes?.includes(secrets) === true;
  });
  await putValues(encrypting.storage, { [`${secrets}default/a`]: storedConfigMap('a', 'text') });
  await assert.rejects(
    searchStoredValues(storage, undefined, new AbortController().signal),
    StoreFormRefusal,
  );
});

const secrets = storageKeyFrom('/core/secrets/');

async function encryptionOfSecrets(folder: string): Promise<EncryptionSettings> {
  const file = join(folder, 'encryption.yaml');
  const key = `{ name: a, secret: ${Buffer.alloc(32, 'a').toString('base64')} }`;
  await writeFile(
    file,
    `apiVersion: ${groups.apiserverConfig}/v1\nkind: EncryptionConfiguration\nresources:\n- { resources: [secrets], providers: [{ aesgcm: { keys: [${key}] } }] }\n`,
  );
  return await readEncryptionSettings({ file, hasEncryptedFeed: true, reloads: false, hasKmsV2: false });
}

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deadlineIn, storageContract } from '@binnacle/proto';
import { connectRpc, implementService, startRpcServer } from '@binnacle/rpc';
import {
  type Change,
  isStorageError,
  remoteStorage,
  type Storage,
  StorageError,
  type StorageKey,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { createMetrics } from '@binnacle/telemetry';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { ChangeStreams } from '../change-streams.ts';
import { createStorageHandlers } from '../storage-handlers.ts';
import type { Transformer } from './ciphers/transformer.ts';
import { encryptedStorage } from './encrypted-storage.ts';
import { createKeyedTransformer, identityTransformer, prefixOfProvider } from './keyed-transformer.ts';
import { createOrderedProviders, createTransformationMetrics, type Provider } from './ordered-providers.ts';

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });
const secretKey = storageKeyFrom('/core/secrets/default/a');
const plainKey = storageKeyFrom('/core/pods/default/a');
const secrets = storageKeyFrom('/core/secrets/');

function provider(kind: 'aesgcm' | 'aescbc', name: string, byte: number): Provider {
  const transformer = createKeyedTransformer(kind, [{ name, secret: Buffer.alloc(32, byte) }]);
  return { prefix: prefixOfProvider(kind), transformer };
}
const identity: Provider = { prefix: '', transformer: identityTransformer };
const first = provider('aesgcm', 'first', 1);
const second = provider('aescbc', 'second', 2);

const ordered = (...providers: Provider[]): Transformer =>
  createOrderedProviders(providers, createTransformationMetrics(createMetrics({ process: false })));

async function openStore() {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-encrypted-'));
  const storage = await openEmbeddedStorage({ directory });
  return {
    storage,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** The store with the types whose values are encrypted. */
function encrypting(storage: Storage, types: { readonly [prefix: string]: Transformer }) {
  const unreadable: string[] = [];
  const encrypted = encryptedStorage({
    storage,
    transformerOf: prefix => types[prefix],
    onUnreadable: (key, reason) => unreadable.push(`${key}: ${reason}`),
  });
  return { encrypted, unreadable };
}

async function put(storage: Storage, key: StorageKey, value: string, revision?: number) {
  const preconditions = revision === undefined ? [] : [{ key, revision }];
  const puts = [{ key, value: Buffer.from(value) }];
  return await storage.transact({ preconditions, puts, deletes: [] }, call());
}

async function read(storage: Storage, key: StorageKey): Promise<string> {
  const { record } = await storage.get(key, call());
  return Buffer.from(record?.value ?? []).toString();
}

/** Reads all changes up to a revision. */
async function changesUpTo(storage: Storage, revision: number): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const batch of storage.changes({ from: 'window-start' }, call())) {
    changes.push(...batch.changes);
    if (batch.revision >= revision) return changes;
  }
  throw new Error('the stream of changes ended');
}

/** Values that wait for something, as those of a key service. */
const slow = ({ prefix, transformer }: Provider): Provider => ({
  prefix,
  transformer: {
    encrypt: async (value, key) => await transformer.encrypt(value, key),
    decrypt: async (stored, key) => await transformer.decrypt(stored, key),
  },
});

for (const [name, transformer] of [
  ['aesgcm', ordered(first, identity)],
  ['aescbc', ordered(second, identity)],
  ['a key service', ordered(slow(first), identity)],
] as const)
  registerStorageContractTests(`encrypted with ${name}`, async () => {
    const store = await openStore();
    const { encrypted } = encrypting(store.storage, { '/core/configmaps/': transformer });
    return { ...store, storage: encrypted };
  });

test('values of configured types are encrypted in the store, others are passed on without a copy', async () => {
  await using store = await openStore();
  const { encrypted } = encrypting(store.storage, { '/core/secrets/': ordered(first, identity) });
  const reservation = storageKeyFrom('/_claims/a');
  for (const key of [secretKey, plainKey, reservation]) await put(encrypted, key, 'marker');
  assert.match(await read(store.storage, secretKey), /^k8s:enc:aesgcm:v1:first:/);
  assert.ok(!(await read(store.storage, secretKey)).includes('marker'));
  assert.equal(await read(store.storage, plainKey), 'marker');
  assert.equal(await read(store.storage, reservation), 'marker');
  for (const key of [secretKey, plainKey, reservation]) assert.equal(await read(encrypted, key), 'marker');
  const all = await encrypted.list({ prefix: storageKeyFrom('/') }, call());
  assert.deepEqual(
    all.records.map(({ value }) => Buffer.from(value).toString()),
    ['marker', 'marker'],
  );
  const page = { records: [], revision: 1, more: false, remaining: 0 };
  const { encrypted: passing } = encrypting(
    { ...store.storage, list: async () => page },
    { '/core/secrets/': ordered(first) },
  );
  assert.equal(await passing.list({ prefix: storageKeyFrom('/core/pods/default/') }, call()), page);
});

test('every way out of the store has decrypted values', async () => {
  await using store = await openStore();
  const { encrypted } = encrypting(store.storage, { '/core/secrets/': ordered(first) });
  await put(encrypted, secretKey, 'one');
  const refusedPut = await put(encrypted, secretKey, 'other', 0);
  assert.ok(!refusedPut.committed);
  assert.equal(Buffer.from(refusedPut.current?.value ?? []).toString(), 'one');
  await put(encrypted, secretKey, 'two');
  const { revision } = await encrypted.transact(
    { preconditions: [], puts: [], deletes: [secretKey] },
    call(),
  );
  const texts = (await changesUpTo(encrypted, revision)).map(
    ({ type, value, previousValue }) => `${type} ${Buffer.from(previousValue)}>${Buffer.from(value)}`,
  );
  assert.deepEqual(texts, ['created >one', 'updated one>two', 'deleted two>']);
});

test('a record of a later provider is stale until it is written, plaintext included', async () => {
  await using store = await openStore();
  const before = encrypting(store.storage, { '/core/secrets/': ordered(second) }).encrypted;
  const { encrypted } = encrypting(store.storage, { '/core/secrets/': ordered(first, second, identity) });
  for (const write of [before, store.storage]) {
    await put(write, secretKey, 'old');
    const { record } = await encrypted.get(secretKey, call());
    assert.equal(record?.isStale, true);
    const refusedPut = await put(encrypted, secretKey, 'old', 0);
    assert.ok(!refusedPut.committed);
    assert.equal(refusedPut.current?.isStale, true);
  }
  await put(encrypted, secretKey, 'old');
  const { record } = await encrypted.get(secretKey, call());
  assert.equal(record?.isStale, undefined);
  assert.match(await read(store.storage, secretKey), /^k8s:enc:aesgcm:v1:first:/);
});

test('with identity first, encrypted values are read and stale, and plaintext is written', async () => {
  await using store = await openStore();
  await put(encrypting(store.storage, { '/core/secrets/': ordered(first) }).encrypted, secretKey, 'value');
  const { encrypted } = encrypting(store.storage, { '/core/secrets/': ordered(identity, first) });
  assert.equal((await encrypted.get(secretKey, call())).record?.isStale, true);
  await put(encrypted, secretKey, 'value');
  assert.equal(await read(store.storage, secretKey), 'value');
  assert.equal((await encrypted.get(secretKey, call())).record?.isStale, undefined);
});

test('a value that no key decrypts fails reads by its key, and a change of it says so without ending the stream', async () => {
  await using store = await openStore();
  const { encrypted: before } = encrypting(store.storage, { '/core/secrets/': ordered(second) });
  const { encrypted, unreadable } = encrypting(store.storage, { '/core/secrets/': ordered(first, identity) });
  const other = storageKeyFrom('/core/secrets/default/b');
  await put(encrypted, other, 'readable');
  await put(before, secretKey, 'lost');
  await put(encrypted, other, 'readable still');
  const refusedByName = (thrown: unknown): boolean => {
    assert.ok(isStorageError(thrown, 'unreadable'), String(thrown));
    assert.equal(
      thrown.message,
      'unable to transform key "/core/secrets/default/a": no matching prefix found',
    );
    return true;
  };
  await assert.rejects(encrypted.get(secretKey, call()), refusedByName);
  await assert.rejects(encrypted.list({ prefix: secrets }, call()), refusedByName);
  await assert.rejects(put(encrypted, secretKey, 'new', 0), refusedByName);
  assert.equal(await read(encrypted, other), 'readable still');
  const { revision } = await put(encrypted, plainKey, 'a pod');
  const changes = await changesUpTo(encrypted, revision);
  assert.deepEqual(
    changes.map(({ key, value, isUnreadable = false }) => [key, Buffer.from(value).toString(), isUnreadable]),
    [
      [other, 'readable', false],
      [secretKey, '', true],
      [other, 'readable still', false],
      [plainKey, 'a pod', false],
    ],
  );
  assert.ok(unreadable.every(text => text.startsWith(secretKey)));
  assert.equal(unreadable.length, 4);
});

test('a key service that does not answer fails calls as unavailable, and the stream of changes too', async () => {
  await using store = await openStore();
  const { encrypted: before } = encrypting(store.storage, { '/core/secrets/': ordered(first) });
  const { revision } = await put(before, secretKey, 'value');
  const away = async (): Promise<never> => {
    throw new StorageError('unavailable', 'the key service does not answer');
  };
  const transformer = ordered({ ...first, transformer: { encrypt: away, decrypt: away } });
  const { encrypted, unreadable } = encrypting(store.storage, { '/core/secrets/': transformer });
  const unavailable = (thrown: unknown) => isStorageError(thrown, 'unavailable');
  await assert.rejects(encrypted.get(secretKey, call()), unavailable);
  await assert.rejects(encrypted.list({ prefix: secrets }, call()), unavailable);
  await assert.rejects(put(encrypted, secretKey, 'new'), unavailable);
  await assert.rejects(changesUpTo(encrypted, revision), unavailable);
  assert.deepEqual(unreadable, []);
});

test('a value that cannot be encrypted fails its write by name, in another process too, and nothing of the transaction is stored', async () => {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openStore());
  const fail = async (): Promise<never> => {
    throw new Error('the plugin refuses');
  };
  const transformer = ordered({ ...first, transformer: { ...first.transformer, encrypt: fail } });
  const { encrypted } = encrypting(store.storage, { '/core/secrets/': transformer });
  const handlers = createStorageHandlers(encrypted, () => {}, new ChangeStreams(4));
  const services = [implementService(storageContract, handlers)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true, drainTimeoutMs: 200 }));
  const addresses = [`127.0.0.1:${server.port}`];
  const remote = remoteStorage(stack.use(connectRpc(storageContract, { addresses, insecure: true })));
  const puts = [secretKey, plainKey].map(key => ({ key, value: Buffer.from('value') }));
  for (const storage of [encrypted, remote]) {
    await assert.rejects(
      storage.transact({ preconditions: [], puts, deletes: [] }, call()),
      (thrown: unknown) => {
        assert.ok(isStorageError(thrown, 'not-encrypted'), String(thrown));
        assert.equal(thrown.message, 'unable to transform key "/core/secrets/default/a": the plugin refuses');
        return true;
      },
    );
    assert.equal((await store.storage.get(secretKey, call())).record, undefined);
    assert.equal((await store.storage.get(plainKey, call())).record, undefined);
  }
});

test('transformations are counted by their prefix and result', async () => {
  const metrics = createMetrics({ process: false });
  const transformer = createOrderedProviders([first, identity], createTransformationMetrics(metrics));
  const stored = await transformer.encrypt(Buffer.from('a'), secretKey);
  await transformer.decrypt(stored, secretKey);
  await transformer.decrypt(Buffer.from('plain'), secretKey);
  assert.throws(() => transformer.decrypt(Buffer.from('k8s:enc:kms:v1:a:'), secretKey), /no matching prefix/);
  const { body } = await metrics.render();
  const name = 'apiserver_storage_transformation_operations_total';
  for (const line of [
    `${name}{transformation_type="to_storage",transformer_prefix="k8s:enc:aesgcm:v1:",status="OK"} 1`,
    `${name}{transformation_type="from_storage",transformer_prefix="k8s:enc:aesgcm:v1:",status="OK"} 1`,
    `${name}{transformation_type="from_storage",transformer_prefix="identity",status="OK"} 1`,
    `${name}{transformation_type="from_storage",transformer_prefix="unknown",status="Unknown"} 1`,
    'apiserver_storage_transformation_duration_seconds_count{transformation_type="to_storage",transformer_prefix="k8s:enc:aesgcm:v1:"} 1',
  ])
    assert.ok(body.includes(line), `${line}\nin\n${body}`);
});

test('another process gets what is stale, and what cannot be decrypted, as this one does', async () => {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openStore());
  const { encrypted: before } = encrypting(store.storage, { '/core/secrets/': ordered(second) });
  const { encrypted } = encrypting(store.storage, { '/core/secrets/': ordered(first, second) });
  const handlers = createStorageHandlers(encrypted, () => {}, new ChangeStreams(4));
  const services = [implementService(storageContract, handlers)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true, drainTimeoutMs: 200 }));
  const addresses = [`127.0.0.1:${server.port}`];
  const remote = remoteStorage(stack.use(connectRpc(storageContract, { addresses, insecure: true })));
  await put(before, secretKey, 'old');
  assert.equal((await remote.get(secretKey, call())).record?.isStale, true);
  const refusedPut = await put(remote, secretKey, 'new', 0);
  assert.ok(!refusedPut.committed);
  assert.equal(refusedPut.current?.isStale, true);
  await put(remote, secretKey, 'new');
  assert.equal((await remote.get(secretKey, call())).record?.isStale, undefined);
  const { revision } = await put(store.storage, secretKey, 'k8s:enc:aesgcm:v1:gone:value');
  await assert.rejects(remote.get(secretKey, call()), (thrown: unknown) => {
    assert.ok(isStorageError(thrown, 'unreadable'));
    assert.match(
      thrown.message,
      /^unable to transform key "\/core\/secrets\/default\/a": no key of this name/,
    );
    return true;
  });
  const marked = (await changesUpTo(remote, revision)).map(({ isUnreadable = false }) => isUnreadable);
  assert.deepEqual(marked, [false, false, true]);
});

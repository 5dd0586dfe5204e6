import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { release } from '@binnacle/build-info';
import {
  apiNamesKey,
  isStorageError,
  type Storage,
  type StorageKey,
  storageKeyFrom,
  storeFormKey,
} from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { encodeApiNames } from '../api-names/api-names-record.ts';
import { gatedStorage } from '../api-names/gated-storage.ts';
import { encodeStoreForm, readStoreForm, StoreFormRefusal } from '../store-form/store-form.ts';
import { callOfTest, putValues, readValues, storedConfigMap } from './stored-samples.ts';

type Opened = Storage & AsyncDisposable;

/** The form of a release that this one cannot follow, in which it could still take part, and of one without a form. */
export const strangeForm = { form: 2, usableFrom: 2, release: '9.9.9' };
const knownEnough = { form: 2, usableFrom: 1, release: '9.9.9' };

/** The line that refuses a store of a strange form. */
export const strangeFormRefusal = `the store has form 2 of release 9.9.9, and release ${release} uses form 1: run release 9.9.9 or later, or restore a backup that was made before the upgrade`;

const object = '/core/configmaps/default/a';
const secrets = storageKeyFrom('/core/secrets/');
const configMaps = storageKeyFrom('/core/configmaps/');
const encryptedValue = Buffer.from('k8s:enc:aesgcm:v1:a:0123456789');

/** The gate of a process that encrypts some types; undefined: it has no encryption configuration. */
const gate = (storage: Storage, encrypting?: readonly StorageKey[]) =>
  gatedStorage({ storage, log: silentLogger, encrypting: () => encrypting });
const settle = (storage: Storage, encrypting?: readonly StorageKey[]) =>
  gate(storage, encrypting).settle(new AbortController().signal);

/** Asserts that a process is refused in one line, when it starts and for each call, and that reserved keys stay as they are. */
async function assertRefused(storage: Storage, message: RegExp): Promise<void> {
  const before = await readValues(storage, '/_');
  await assert.rejects(settle(storage), (thrown: unknown) => {
    assert.ok(thrown instanceof StoreFormRefusal, String(thrown));
    assert.match(thrown.message, message);
    assert.doesNotMatch(thrown.message, /\n/);
    return true;
  });
  const puts = [{ key: apiNamesKey, value: Buffer.from('a') }];
  await assert.rejects(
    gate(storage).storage.transact({ preconditions: [], puts, deletes: [] }, callOfTest()),
    thrown => isStorageError(thrown, 'unavailable'),
  );
  assert.deepEqual(await readValues(storage, '/_'), before);
}

/** The check of a store's form, in any backend; each store that is created is empty. */
export function registerStoreFormTests(backend: string, create: () => Promise<Opened>): void {
  suite(`the form of a store in ${backend}`, () => {
    for (const name of ['an empty store', 'a store of before there were forms'])
      test(`${name} gets form 1 from the first of many that start at once`, async () => {
        await using storage = await create();
        if (name !== 'an empty store')
          await putValues(storage, {
            [apiNamesKey]: encodeApiNames({ apiNames: vocabulary }),
            [object]: storedConfigMap('a', 'text'),
          });
        await Promise.all(Array.from({ length: 8 }, () => settle(storage)));
        assert.deepEqual(await readStoreForm(storage, callOfTest()), { form: 1, usableFrom: 1, release });
      });

    test('a newer form that this release may use stays, and the store is served', async () => {
      await using storage = await create();
      await putValues(storage, { [storeFormKey]: encodeStoreForm(knownEnough) });
      await settle(storage);
      assert.deepEqual(await readStoreForm(storage, callOfTest()), knownEnough);
    });

    const refused: readonly [name: string, record: Uint8Array, message: RegExp][] = [
      ['a form of a newer release', encodeStoreForm(strangeForm), new RegExp(`^${strangeFormRefusal}$`)],
      [
        'a record that cannot be read',
        Buffer.from('form 2'),
        /^the form of the store cannot be read by release/,
      ],
      ['an empty record', Buffer.from(''), /^the form of the store cannot be read by release/],
      ['a record without numbers', Buffer.from('{"form":"two"}'), /^the form of the store cannot be read by/],
    ];
    for (const [name, record, message] of refused)
      test(`${name} is refused in one line, and the store stays as it is`, async () => {
        await using storage = await create();
        await putValues(storage, { [storeFormKey]: record });
        await assertRefused(storage, message);
      });
  });
}

/** The check whether a store has encrypted values that a process cannot read, in any backend; each store that is created is empty. */
export function registerEncryptedTypesTests(backend: string, create: () => Promise<Opened>): void {
  const types = async (storage: Storage) => (await readStoreForm(storage, callOfTest()))?.encryptedTypes;

  suite(`encrypted types of a store in ${backend}`, () => {
    test('processes that encrypt name their types before anything is written, also when they start at once', async () => {
      await using storage = await create();
      await Promise.all([settle(storage, [secrets]), settle(storage, [configMaps]), settle(storage, [])]);
      assert.deepEqual((await types(storage))?.toSorted(), [configMaps, secrets]);
      await settle(storage, [secrets]);
      assert.equal((await types(storage))?.length, 2);
    });

    test('a process without a configuration is refused while one value is encrypted, and one with any is not', async () => {
      await using storage = await create();
      await settle(storage, [secrets, configMaps]);
      await putValues(storage, {
        '/core/secrets/default/a': encryptedValue,
        '/core/secrets/default/b': storedConfigMap('b', 'text'),
      });
      await assertRefused(
        storage,
        /^the value of \/core\/secrets\/default\/a is encrypted, .* set --encryption-provider-config \(BINNACLE_ENCRYPTION_PROVIDER_CONFIG\) to one with its key, or rewrite the values in plaintext first, .*"binnaclectl secrets rewrite"$/,
      );
      await settle(storage, []);
      assert.equal((await types(storage))?.length, 2);
    });

    test('once all values are in plaintext a process without a configuration starts, and what a newer release wrote stays', async () => {
      await using storage = await create();
      const newer = { ...knownEnough, placedBy: 'a newer release' };
      await putValues(storage, { [storeFormKey]: Buffer.from(JSON.stringify(newer)) });
      await settle(storage, [secrets]);
      await putValues(storage, {
        '/core/secrets/default/a': storedConfigMap('a', 'text'),
        // Not of a type that was ever encrypted.
        '/core/configmaps/default/a': encryptedValue,
      });
      assert.deepEqual(await types(storage), [secrets]);
      await settle(storage);
      const { record } = await storage.get(storeFormKey, callOfTest());
      assert.deepEqual(JSON.parse(Buffer.from(record?.value ?? []).toString()), newer);
    });

    test('a process that begins to encrypt during the search is not lost', async () => {
      await using storage = await create();
      await settle(storage, [secrets]);
      const list: Storage['list'] = async (query, call) => {
        const page = await storage.list(query, call);
        if (query.prefix === secrets) {
          await settle(storage, [configMaps]);
          await putValues(storage, { '/core/configmaps/default/a': encryptedValue });
        }
        return page;
      };
      await assert.rejects(settle({ ...storage, list }), {
        message: /^the value of \/core\/configmaps\/default\/a is encrypted/,
      });
      assert.deepEqual(await types(storage), [secrets, configMaps]);
    });
  });
}

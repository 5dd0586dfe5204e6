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
import { type ConfiguredTypes, plaintextPrefix } from '../encryption/stored-prefix.ts';
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
const [keyA, keyB, vault] = ['aesgcm:v1:a', 'aesgcm:v1:b', 'kms:v2:vault'].map(
  name => `k8s:enc:${name}:`,
) as [string, string, string]; // Three.
const valueWith = (prefix: string) => Buffer.from(`${prefix}0123456789`);
const encryptedValue = valueWith(keyA);

/** A configuration that encrypts types with the first of these prefixes. */
const encrypting = (types: readonly StorageKey[], ...prefixes: string[]): ConfiguredTypes => ({
  encrypted: types,
  readable: new Map(types.map(type => [type, prefixes])),
});

/** The gate of a process; without types it has no encryption configuration. */
const gate = (storage: Storage, configured?: ConfiguredTypes) =>
  gatedStorage({ storage, log: silentLogger, configured: () => configured });
const settle = (storage: Storage, configured?: ConfiguredTypes) =>
  gate(storage, configured).settle(new AbortController().signal);

/** Asserts that a process is refused in one line, when it starts and for each call, and that reserved keys stay as they are. */
async function assertRefused(storage: Storage, message: RegExp, configured?: ConfiguredTypes): Promise<void> {
  const before = await readValues(storage, '/_');
  await assert.rejects(settle(storage, configured), (thrown: unknown) => {
    assert.ok(thrown instanceof StoreFormRefusal, String(thrown));
    assert.match(thrown.message, message);
    assert.doesNotMatch(thrown.message, /\n/);
    return true;
  });
  const puts = [{ key: apiNamesKey, value: Buffer.from('a') }];
  await assert.rejects(
    gate(storage, configured).storage.transact({ preconditions: [], puts, deletes: [] }, callOfTest()),
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
      const both = encrypting([secrets, configMaps], keyA);
      await Promise.all(Array.from({ length: 4 }, () => settle(storage, both)));
      assert.deepEqual(await types(storage), [secrets, configMaps]);
    });

    test('a process without a configuration is refused while one value is encrypted, and one with its key is not', async () => {
      await using storage = await create();
      const both = encrypting([secrets, configMaps], keyA, plaintextPrefix);
      await settle(storage, both);
      await putValues(storage, {
        '/core/secrets/default/a': encryptedValue,
        '/core/secrets/default/b': storedConfigMap('b', 'text'),
      });
      await assertRefused(
        storage,
        /^the value of \/core\/secrets\/default\/a is encrypted, .* set --encryption-provider-config \(BINNACLE_ENCRYPTION_PROVIDER_CONFIG\) to one with its key, or rewrite the values in plaintext first, .*"binnaclectl secrets rewrite"$/,
      );
      await settle(storage, both);
      assert.equal((await types(storage))?.length, 2);
    });

    test('once all values are in plaintext a process without a configuration starts, and what a newer release wrote stays', async () => {
      await using storage = await create();
      const newer = { ...knownEnough, placedBy: 'a newer release' };
      await putValues(storage, { [storeFormKey]: Buffer.from(JSON.stringify(newer)) });
      await settle(storage, encrypting([secrets], keyA));
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
      await settle(storage, encrypting([secrets], keyA));
      const list: Storage['list'] = async (query, call) => {
        const page = await storage.list(query, call);
        if (query.prefix === secrets) {
          await settle(storage, encrypting([secrets, configMaps], keyA));
          await putValues(storage, { '/core/configmaps/default/a': encryptedValue });
        }
        return page;
      };
      await assert.rejects(settle({ ...storage, list }), {
        message: /^the value of \/core\/configmaps\/default\/a is encrypted/,
      });
      assert.deepEqual(await types(storage), [secrets, configMaps]);
    });

    const lacking: readonly {
      readonly what: string;
      readonly value: Uint8Array;
      readonly prefixes: readonly string[];
      readonly needs: string;
    }[] = [
      {
        what: 'the key',
        value: encryptedValue,
        prefixes: [keyB],
        needs: 'the provider aesgcm with a key of the name "a"',
      },
      {
        what: 'the KMS plugin',
        value: valueWith(vault),
        prefixes: [keyB, vault.replace('v2', 'v1')],
        needs: 'the provider kms \\(v2\\) with the name "vault"',
      },
      {
        what: 'the provider of plaintext',
        value: storedConfigMap('a', 'text'),
        prefixes: [keyB],
        needs: 'the provider identity',
      },
      {
        what: 'the type',
        value: encryptedValue,
        prefixes: [],
        needs: 'the provider aesgcm with a key of the name "a"',
      },
    ];
    for (const { what, value, prefixes, needs } of lacking)
      test(`a configuration that lacks ${what} of a stored value is refused, and with it the process starts`, async () => {
        await using storage = await create();
        const all = [keyB, keyA, vault, plaintextPrefix];
        await settle(storage, encrypting([secrets], ...all));
        await putValues(storage, {
          '/core/secrets/default/a': valueWith(prefixes[0] ?? keyA),
          '/core/secrets/default/b': value,
        });
        const lacks = encrypting(prefixes.length > 0 ? [secrets] : [], ...prefixes);
        const says = new RegExp(
          `^the value of /core/secrets/default/[ab] needs ${needs}, which --encryption-provider-config .* does not have for its type: keep it there, .*"binnaclectl secrets rewrite" has run for the type$`,
        );
        await assertRefused(storage, says, lacks);
        await settle(storage, encrypting([secrets], ...all.toReversed()));
      });

    test('a configuration may lose a key that no value needs, and the store is searched for it once', async () => {
      await using storage = await create();
      await settle(storage, encrypting([secrets], keyB, keyA));
      await putValues(storage, { '/core/secrets/default/a': valueWith(keyB) });
      let searches = 0;
      const list: Storage['list'] = (query, call) => {
        if (query.prefix === secrets) searches++;
        return storage.list(query, call);
      };
      for (let starts = 0; starts < 3; starts++)
        await settle({ ...storage, list }, encrypting([secrets], keyB));
      assert.equal(searches, 1);
    });

    test('values of a store whose record does not tell their keys are searched', async () => {
      await using storage = await create();
      const form = { form: 1, usableFrom: 1, release: '0.1.0', encryptedTypes: [secrets] };
      await putValues(storage, {
        [apiNamesKey]: encodeApiNames({ apiNames: vocabulary }),
        [storeFormKey]: encodeStoreForm(form),
        '/core/secrets/default/a': encryptedValue,
      });
      await assertRefused(
        storage,
        /^the value of \/core\/secrets\/default\/a needs /,
        encrypting([secrets], keyB),
      );
      await settle(storage, encrypting([secrets], keyB, keyA));
    });

    test('a store whose values may be in plaintext alone is used by a process without a configuration', async () => {
      await using storage = await create();
      await settle(storage, encrypting([secrets], keyA));
      await settle(storage, encrypting([secrets], plaintextPrefix));
      assert.deepEqual(await types(storage), [secrets]);
      await settle(storage);
      assert.equal(await types(storage), undefined);
    });

    test('values that are damaged stop no process', async () => {
      await using storage = await create();
      await settle(storage, encrypting([secrets], keyB, keyA, plaintextPrefix));
      await putValues(storage, {
        '/core/secrets/default/a': valueWith(keyB),
        '/core/secrets/default/b': Buffer.from('k8s:enc:aesgcm:v1'),
        '/core/secrets/default/c': Buffer.from('k8s:enc:other:v1:a:0123'),
        '/core/secrets/default/d': Buffer.alloc(100, 1),
      });
      await settle(storage, encrypting([secrets], keyB));
    });

    test('a key whose name begins with that of another one and a colon is told from it', async () => {
      await using storage = await create();
      const longer = keyA.replace(':a:', ':a:b:');
      await settle(storage, encrypting([secrets], longer, keyA));
      await putValues(storage, { '/core/secrets/default/a': valueWith(longer) });
      await settle(storage, encrypting([secrets], longer));
    });
  });
}

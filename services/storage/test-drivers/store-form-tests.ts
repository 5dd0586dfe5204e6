import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { release } from '@binnacle/build-info';
import { apiNamesKey, isStorageError, type Storage, storeFormKey } from '@binnacle/storage-contract';
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
const settle = (storage: Storage) => gatedStorage(storage, silentLogger).settle(new AbortController().signal);

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
        const before = await readValues(storage, '/_');
        await assert.rejects(settle(storage), (thrown: unknown) => {
          assert.ok(thrown instanceof StoreFormRefusal, String(thrown));
          assert.match(thrown.message, message);
          assert.doesNotMatch(thrown.message, /\n/);
          return true;
        });
        const gated = gatedStorage(storage, silentLogger).storage;
        const puts = [{ key: apiNamesKey, value: Buffer.from('a') }];
        await assert.rejects(
          gated.transact({ preconditions: [], puts, deletes: [] }, callOfTest()),
          thrown => isStorageError(thrown, 'unavailable') && thrown.cause instanceof StoreFormRefusal,
        );
        assert.deepEqual(await readValues(storage, '/_'), before);
      });
  });
}

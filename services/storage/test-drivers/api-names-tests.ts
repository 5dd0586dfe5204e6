import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Vocabulary, vocabularies } from '@binnacle/api-names';
import { ApiNamesRefusal, createCallContext } from '@binnacle/rpc';
import { apiNamesKey, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { type ApiNamesRecord, encodeApiNames, readApiNames } from '../api-names/api-names-record.ts';
import { settleApiNames } from '../api-names/settle-api-names.ts';

type Opened = Storage & AsyncDisposable;

/** The check of a store's API names, in any backend; each store that is created is empty. */
export function registerApiNamesTests(backend: string, create: () => Promise<Opened>): void {
  const call = () => createCallContext({ timeoutMs: 30_000 });
  const put = async (storage: Storage, key: string, value: Uint8Array): Promise<void> => {
    using within = call();
    await storage.transact(
      { preconditions: [], puts: [{ key: storageKeyFrom(key), value }], deletes: [] },
      within,
    );
  };
  const settle = async (storage: Storage, own: Vocabulary): Promise<void> => {
    using within = call();
    await settleApiNames(storage, within, own);
  };
  const readRecord = async (storage: Storage): Promise<ApiNamesRecord | undefined> => {
    using within = call();
    return (await readApiNames(storage, within)).record;
  };
  const refusal = (message: RegExp) => (thrown: unknown) => {
    assert.ok(thrown instanceof ApiNamesRefusal, String(thrown));
    assert.match(thrown.message, message);
    assert.doesNotMatch(thrown.message, /\n/);
    return true;
  };

  suite(`API names of a store in ${backend}`, () => {
    for (const own of vocabularies) {
      const [other = 'cluster'] = vocabularies.filter(name => name !== own);

      test(`the first start with ${own} sets the names, and a start with ${other} is refused`, async () => {
        await using storage = await create();
        await settle(storage, own);
        assert.deepEqual(await readRecord(storage), { apiNames: own });
        await settle(storage, own);
        await assert.rejects(
          settle(storage, other),
          refusal(
            new RegExp(
              `^the store has --api-names=${own}, and this process --api-names=${other}: start it with --api-names=${own}, or convert`,
            ),
          ),
        );
        assert.deepEqual(await readRecord(storage), { apiNames: own });
      });

      test(`a store with an unfinished conversion to ${own} is refused`, async () => {
        await using storage = await create();
        await put(storage, apiNamesKey, encodeApiNames({ apiNames: other, convertingTo: own }));
        for (const each of vocabularies)
          await assert.rejects(
            settle(storage, each),
            refusal(new RegExp(`^the conversion of the store to --api-names=${own} is not finished: run `)),
          );
      });
    }

    test('a store with objects and no names record is of the previous release, and has the names cluster', async () => {
      await using storage = await create();
      await put(storage, '/core/configmaps/default/a', Buffer.from('a'));
      await assert.rejects(settle(storage, 'kubernetes'), refusal(/^the store has --api-names=cluster/));
      assert.equal(await readRecord(storage), undefined);
      await settle(storage, 'cluster');
      assert.deepEqual(await readRecord(storage), { apiNames: 'cluster' });
    });

    test('of many concurrent first starts one sets the names', async () => {
      await using storage = await create();
      const starts = Array.from({ length: 8 }, (_, index) => vocabularies[index % 2] ?? 'cluster');
      const ends = await Promise.allSettled(starts.map(own => settle(storage, own)));
      const written = (await readRecord(storage))?.apiNames;
      for (const [index, { status }] of ends.entries())
        assert.equal(status, starts[index] === written ? 'fulfilled' : 'rejected', `${index}`);
    });

    test('a names record of a later release is refused', async () => {
      await using storage = await create();
      for (const text of ['{"apiNames":"latin"}', '{"apiNames":"cluster","convertingTo":"latin"}', '']) {
        await put(storage, apiNamesKey, Buffer.from(text));
        await assert.rejects(settle(storage, 'cluster'), refusal(/does not know/));
      }
    });
  });
}

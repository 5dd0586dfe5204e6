import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { apiNamesKey, isStorageError, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { readApiNames } from '../../api-names/api-names-record.ts';
import { settleApiNames } from '../../api-names/settle-api-names.ts';
import { readBackup } from '../../backup/read-backup.ts';
import { convertStore } from '../../conversion/convert-store.ts';
import { restoreBackup } from '../../restore-backup.ts';
import { readStoreForm } from '../../store-form/store-form.ts';
import {
  callOfTest,
  fillStore,
  makeTestFolder,
  putValues,
  readValues,
  storedConfigMap,
} from '../../test-drivers/stored-samples.ts';

/** A store of a backend under the flags that name it. */
export interface PlacedStore {
  readonly args: readonly string[];
  open(): Promise<Storage & AsyncDisposable>;
  /** Backs the store up; it may be open. Resolves with the revision of the backup. */
  backUp(file: string): Promise<number>;
}

/** Places for tests of backups: each is of an empty store. */
type CreatePlace = () => Promise<PlacedStore>;

const signal = new AbortController().signal;

/** Restores a file into a store, at a time. */
export function restoreInto(place: PlacedStore, file: string, now = Date.now) {
  return restoreBackup({ file, args: place.args, env: {}, now, quietMs: 0, signal });
}

/** Registers the tests of backups that are taken of stores of one backend and restored into stores of another one. */
export function registerRestoreTests(
  name: string,
  createSource: CreatePlace,
  createTarget: CreatePlace,
): void {
  suite(`backup and restore, ${name}`, () => {
    test('a restored store has every byte at the revision of the backup, and no leases', async () => {
      const folder = await makeTestFolder();
      const file = join(folder, 'a.backup');
      const [source, target] = [await createSource(), await createTarget()];
      await using storage = await source.open();
      await fillStore(storage, 150);
      let isDone = false;
      const writing = (async () => {
        for (let index = 0; !isDone; index++)
          await putValues(storage, {
            [`/core/configmaps/default/m${index % 200}`]: storedConfigMap(`m${index % 200}`, randomUUID()),
          });
      })();
      const revision = await source.backUp(file).finally(() => {
        isDone = true;
      });
      await writing;
      const prefixes = ['/', '/_claims/', `${apiNamesKey}/`];
      const expected = await Promise.all(prefixes.map(prefix => readValues(storage, prefix, revision)));
      const last = await storage.typeRevision(undefined, callOfTest());
      const { floor, header } = await restoreInto(target, file);
      assert.equal(header.revision, revision);
      assert.ok(floor > last, `${floor} ${last}`);

      await using restored = await target.open();
      for (const [index, prefix] of prefixes.entries())
        assert.deepEqual([...(await readValues(restored, prefix))], [...(expected[index] ?? [])]);
      assert.ok((await readValues(restored, '/')).size >= 150);
      assert.deepEqual([...(await readValues(restored, '/_servers/'))], []);
      assert.deepEqual((await readApiNames(restored, callOfTest())).record, { apiNames: vocabulary });
      await settleApiNames(restored, callOfTest());
      assert.equal((await readStoreForm(restored, callOfTest()))?.form, 1);
      const prefix = storageKeyFrom('/core/configmaps/');
      const page = await restored.list({ prefix }, callOfTest());
      for (const { key, revision: version } of page.records) assert.ok(version > floor, key);
      for (const before of [1, revision, last, floor - 1]) {
        const isCompacted = (thrown: unknown) => isStorageError(thrown, 'compacted');
        await assert.rejects(restored.list({ prefix, atRevision: before }, callOfTest()), isCompacted);
        const changes = restored.changes({ after: before }, callOfTest())[Symbol.asyncIterator]();
        await assert.rejects(async () => await changes.next(), isCompacted);
      }
    });

    test('a restored store names the types of its encrypted values, so that no process starts on it without a configuration', async () => {
      const file = join(await makeTestFolder(), 'a.backup');
      const [source, target] = [await createSource(), await createTarget()];
      await using storage = await source.open();
      await fillStore(storage, 3);
      const encrypted = Buffer.from('k8s:enc:aesgcm:v1:a:0123456789');
      await putValues(storage, {
        '/core/secrets/default/a': encrypted,
        '/core/secrets/default/b': encrypted,
      });
      await source.backUp(file);
      await restoreInto(target, file);
      await using restored = await target.open();
      const form = await readStoreForm(restored, callOfTest());
      assert.deepEqual(form?.encryptedTypes, ['/core/secrets/']);
    });

    test('a second restore of a backup continues with other revisions than the first', async () => {
      const file = join(await makeTestFolder(), 'a.backup');
      const source = await createSource();
      await using storage = await source.open();
      await fillStore(storage, 3);
      await source.backUp(file);
      const [first, second] = [await createTarget(), await createTarget()];
      const at = Date.now();
      await restoreInto(first, file, () => at);
      let last: number;
      {
        await using restored = await first.open();
        for (let index = 0; index < 20; index++)
          await putValues(restored, { '/core/configmaps/default/new': storedConfigMap('new', `${index}`) });
        last = await restored.typeRevision(undefined, callOfTest());
      }
      // A minute: other tests write to the same etcd meanwhile, whose transactions count as revisions here.
      const { floor } = await restoreInto(second, file, () => at + 60_000);
      assert.ok(floor > last, `${floor} ${last}`);
      const later = join(await makeTestFolder(), 'b.backup');
      const backedUp = await second.backUp(later);
      assert.ok(backedUp > floor, `${backedUp} ${floor}`);
      await assert.rejects(
        restoreInto(await createTarget(), file, () => 0),
        /which is in the future/,
      );
    });

    test('a store that is not empty is refused and not changed', async () => {
      const file = join(await makeTestFolder(), 'a.backup');
      const source = await createSource();
      {
        await using storage = await source.open();
        await fillStore(storage, 2);
        await source.backUp(file);
      }
      const target = await createTarget();
      {
        await using storage = await target.open();
        await putValues(storage, { '/core/configmaps/default/own': storedConfigMap('own', '') });
      }
      await assert.rejects(restoreInto(target, file), /^Refusal: the store is not empty: /);
      await using storage = await target.open();
      assert.deepEqual([...(await readValues(storage, '/')).keys()], ['/core/configmaps/default/own']);
      assert.deepEqual((await readApiNames(storage, callOfTest())).record, undefined);
    });

    test('a modified file is refused before anything is written', async () => {
      const folder = await makeTestFolder();
      const file = join(folder, 'a.backup');
      const source = await createSource();
      {
        await using storage = await source.open();
        await fillStore(storage, 2);
        await source.backUp(file);
      }
      const bytes = await readFile(file);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      await writeFile(file, bytes);
      const target = await createTarget();
      await assert.rejects(restoreInto(target, file), /is corrupt: its checksum does not match$/);
      await using storage = await target.open();
      assert.deepEqual([...(await readValues(storage, '/'))], []);
      assert.deepEqual((await readApiNames(storage, callOfTest())).record, undefined);
    });

    test('an interrupted restore can be finished with the same file, and no server starts before', async () => {
      const folder = await makeTestFolder();
      const file = join(folder, 'a.backup');
      const source = await createSource();
      await using storage = await source.open();
      await fillStore(storage, 30);
      await source.backUp(file);
      await putValues(storage, { '/core/configmaps/default/later': storedConfigMap('later', '') });
      const other = join(folder, 'other.backup');
      await source.backUp(other);
      const target = await createTarget();
      // The file is altered between the two times that it is read: the second one ends with the mark in the store.
      const shrinking = join(folder, 'shrinking.backup');
      await copyFile(file, shrinking);
      const now = () => {
        truncateSync(shrinking, 400);
        return Date.now();
      };
      await assert.rejects(restoreInto(target, shrinking, now), /is truncated$/);
      {
        await using half = await target.open();
        const unfinished =
          /the restore of the store is not finished: run "binnaclectl restore" again with the backup whose SHA-256 is [0-9a-f]{64}$/;
        await assert.rejects(settleApiNames(half, callOfTest()), unfinished);
        await assert.rejects(convertStore({ storage: half, to: 'kubernetes', signal }), unfinished);
      }
      await assert.rejects(
        target.backUp(join(folder, 'half.backup')),
        /the restore of the store is not finished/,
      );
      await assert.rejects(restoreInto(target, other), /the restore of another backup is not finished/);
      await restoreInto(target, file);
      await using restored = await target.open();
      await settleApiNames(restored, callOfTest());
      const { sha256, records } = await readBackup(file);
      assert.match(sha256, /^[0-9a-f]{64}$/);
      assert.equal((await readValues(restored, '/')).size, 30);
      assert.equal(records, 32);
    });
  });
}

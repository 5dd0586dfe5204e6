import assert from 'node:assert/strict';
import { reservationPrefix, type StorageKey, storageKeyFrom, typeRevisionPrefix } from '../keys.ts';
import type { ListQuery, Storage, StorageRecord } from '../storage.ts';
import { isStorageError } from '../storage-error.ts';
import { type ContractTest, call, commit, configmaps, key, rejectsWith, text } from './contract-test.ts';

async function listValues(storage: Storage, query: ListQuery): Promise<string[]> {
  return (await everyPage(storage, query)).map(record => text(record.value));
}

/** Reads all records of a query, page by page, at the revision of the first page. */
async function everyPage(storage: Storage, query: ListQuery): Promise<StorageRecord[]> {
  const records: StorageRecord[] = [];
  let next: ListQuery = query;
  for (;;) {
    const page = await storage.list(next, call());
    records.push(...page.records);
    assert.equal(page.more, page.remaining > 0, 'more says whether something remains');
    const last = page.records.at(-1);
    if (!page.more || last === undefined) return records;
    next = { ...query, startAfter: last.key, atRevision: page.revision };
  }
}

async function fill(storage: Storage, count: number): Promise<StorageKey[]> {
  const keys = Array.from({ length: count }, (_, index) => key(`k${String(index).padStart(5, '0')}`));
  for (let start = 0; start < count; start += 100) {
    const put = Object.fromEntries(keys.slice(start, start + 100).map(each => [each, each]));
    await commit(storage, { put });
  }
  return keys;
}

/** Guarantees of `list`. */
export const listTests: readonly ContractTest[] = [
  {
    behaviour: 'a prefix without records has an empty page with a revision',
    async run(storage) {
      const page = await storage.list({ prefix: configmaps }, call());
      assert.deepEqual({ ...page, revision: 0 }, { records: [], revision: 0, more: false, remaining: 0 });
      assert.ok(page.revision > 0);
    },
  },
  {
    behaviour: 'records of the prefix are in key order, each with its own revision',
    async run(storage) {
      const b = await commit(storage, { put: { [key('b')]: 'b' } });
      const a = await commit(storage, { put: { [key('a')]: 'a' } });
      const c = await commit(storage, { put: { [key('c', 'nt')]: 'c', '/core/configmapsx/ns/a': 'x' } });
      await commit(storage, { put: { '/core/configmap/ns/a': 'x', [`${reservationPrefix}x/y`]: 'z' } });
      const { records } = await storage.list({ prefix: configmaps }, call());
      assert.deepEqual(
        records.map(record => [record.key, text(record.value), record.revision]),
        [
          [key('a'), 'a', a],
          [key('b'), 'b', b],
          [key('c', 'nt'), 'c', c],
        ],
      );
      assert.deepEqual(await listValues(storage, { prefix: key('', 'nt') }), ['c']);
    },
  },
  {
    behaviour: 'reserved keys are listed below their own prefix and below no other',
    async run(storage) {
      await commit(storage, {
        put: { [key('a')]: 'a', [`${reservationPrefix}ip/1`]: 'one', [`${reservationPrefix}ip/2`]: 'two' },
      });
      assert.deepEqual(await listValues(storage, { prefix: storageKeyFrom(reservationPrefix) }), [
        'one',
        'two',
      ]);
      assert.deepEqual(await listValues(storage, { prefix: storageKeyFrom('/') }), ['a']);
      const types = await storage.list({ prefix: storageKeyFrom(typeRevisionPrefix) }, call());
      assert.deepEqual(
        types.records.map(record => record.key),
        [`${typeRevisionPrefix}core/configmaps`],
      );
    },
  },
  {
    behaviour: 'consecutive pages have no gap, and count the remaining records',
    async run(storage) {
      const keys = await fill(storage, 25);
      const first = await storage.list({ prefix: configmaps, limit: 10 }, call());
      assert.deepEqual(
        first.records.map(record => record.key),
        keys.slice(0, 10),
      );
      assert.deepEqual([first.more, first.remaining], [true, 15]);
      const startAfter = key('k00019');
      const last = await storage.list({ prefix: configmaps, limit: 10, startAfter }, call());
      assert.deepEqual(
        last.records.map(record => record.key),
        keys.slice(20),
      );
      assert.deepEqual([last.more, last.remaining], [false, 0]);
      assert.equal((await everyPage(storage, { prefix: configmaps, limit: 7 })).length, 25);
    },
  },
  {
    behaviour: 'without a limit the server chooses the size of pages, which together have all records',
    async run(storage) {
      const keys = await fill(storage, 1200);
      const records = await everyPage(storage, { prefix: configmaps });
      assert.deepEqual(
        records.map(record => record.key),
        keys,
      );
    },
  },
  {
    behaviour: 'pages have a limited size in bytes',
    async run(storage) {
      const value = new Uint8Array(700_000).fill(1);
      for (const name of ['a', 'b', 'c', 'd']) await commit(storage, { put: { [key(name)]: value } });
      const page = await storage.list({ prefix: configmaps, limit: 100 }, call());
      assert.ok(page.records.length >= 1 && page.records.length < 4);
      assert.equal(page.remaining, 4 - page.records.length);
      assert.equal((await everyPage(storage, { prefix: configmaps, limit: 100 })).length, 4);
    },
  },
  {
    behaviour: 'a list at a revision shows the state at that revision',
    async run(storage) {
      const states: { revision: number; values: string[] }[] = [];
      const note = (revision: number, ...values: string[]) => states.push({ revision, values });
      note(await commit(storage, { put: { [key('a')]: 'a1', [key('b')]: 'b1' } }), 'a1', 'b1');
      note(await commit(storage, { put: { [key('a')]: 'a2' } }), 'a2', 'b1');
      note(await commit(storage, { remove: [key('b')] }), 'a2');
      note(await commit(storage, { put: { [key('c')]: 'c1' } }), 'a2', 'c1');
      note(await commit(storage, { put: { [key('b')]: 'b2' }, remove: [key('a')] }), 'b2', 'c1');
      note(await commit(storage, { put: { [key('a')]: 'a3' } }), 'a3', 'b2', 'c1');
      for (const { revision, values } of states) {
        const page = await storage.list({ prefix: configmaps, atRevision: revision }, call());
        assert.deepEqual(
          page.records.map(record => text(record.value)),
          values,
          `as of ${revision}`,
        );
        assert.equal(page.revision, revision);
        assert.deepEqual(
          await listValues(storage, { prefix: configmaps, atRevision: revision, limit: 1 }),
          values,
        );
      }
    },
  },
  {
    behaviour: 'later pages show the state at the revision of the first, whatever is written meanwhile',
    async run(storage) {
      const keys = await fill(storage, 20);
      const first = await storage.list({ prefix: configmaps, limit: 5 }, call());
      await commit(storage, {
        put: { [key('k00007')]: 'changed', [key('k00007x')]: 'new' },
        remove: [key('k00010')],
      });
      const rest = await everyPage(storage, {
        prefix: configmaps,
        limit: 5,
        startAfter: key('k00004'),
        atRevision: first.revision,
      });
      assert.deepEqual(
        rest.map(record => text(record.value)),
        keys.slice(5),
      );
    },
  },
  {
    behaviour: 'a revision before the first write has no records, or is refused',
    async run(storage) {
      for (const name of ['a', 'b', 'c']) await commit(storage, { put: { [key(name)]: name } });
      for (const atRevision of [1, 5, 127, 128, 255]) {
        const start = await storage.typeRevision(undefined, call());
        if (atRevision >= start) continue;
        try {
          const { records } = await storage.list({ prefix: configmaps, atRevision }, call());
          for (const record of records) assert.ok(record.revision <= atRevision);
        } catch (thrown) {
          assert.ok(isStorageError(thrown, 'compacted'), String(thrown));
        }
      }
    },
  },
  {
    behaviour: 'a future revision is refused',
    async run(storage) {
      const revision = await commit(storage, { put: { [key('a')]: 'a' } });
      const query = { prefix: configmaps, atRevision: revision + 1000 };
      await rejectsWith(storage.list(query, call()), 'future-revision');
    },
  },
];

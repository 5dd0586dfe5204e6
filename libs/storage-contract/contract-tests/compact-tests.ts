import assert from 'node:assert/strict';
import type { Change } from '../storage.ts';
import { isStorageError } from '../storage-error.ts';
import {
  assertOrdered,
  type ContractTest,
  call,
  changesUpTo,
  commit,
  configmaps,
  key,
  rejectsWith,
  text,
} from './contract-test.ts';

/** Guarantees of `compact`. */
export const compactTests: readonly ContractTest[] = [
  {
    behaviour: 'reads before the revision are refused, and reads at it and after it have the same results',
    async run(storage) {
      const r1 = await commit(storage, { put: { [key('a')]: 'a1', [key('b')]: 'b1' } });
      const r2 = await commit(storage, { put: { [key('a')]: 'a2' } });
      const r3 = await commit(storage, { remove: [key('b')] });
      const r4 = await commit(storage, { put: { [key('a')]: 'a4' } });
      await storage.compact(r3, call());
      for (const atRevision of [r1, r2]) {
        await rejectsWith(storage.list({ prefix: configmaps, atRevision }, call()), 'compacted');
      }
      const at = async (atRevision: number) =>
        (await storage.list({ prefix: configmaps, atRevision }, call())).records.map(record =>
          text(record.value),
        );
      assert.deepEqual(await at(r3), ['a2']);
      assert.deepEqual(await at(r4), ['a4']);
      assert.equal((await storage.get(key('a'), call())).record?.revision, r4);
    },
  },
  {
    behaviour: 'changes can start at the revision and not before it, including deletions',
    async run(storage) {
      const r1 = await commit(storage, { put: { [key('a')]: 'a1' } });
      const r2 = await commit(storage, { remove: [key('a')] });
      const r3 = await commit(storage, { put: { [key('b')]: 'b3' } });
      const r4 = await commit(storage, { remove: [key('b')] });
      await storage.compact(r2, call());
      const early = storage.changes({ after: r1 }, call())[Symbol.asyncIterator]();
      await rejectsWith(Promise.resolve(early.next()), 'compacted');
      const changes = await changesUpTo(storage, { after: r2 }, r4);
      assert.deepEqual(
        changes.map(change => [change.type, change.revision, text(change.previousValue)]),
        [
          ['created', r3, ''],
          ['deleted', r4, 'b3'],
        ],
      );
    },
  },
  {
    behaviour: 'a second compaction at the same revision, and one at an earlier, change nothing',
    async run(storage) {
      const r1 = await commit(storage, { put: { [key('a')]: 'a1' } });
      const r2 = await commit(storage, { put: { [key('a')]: 'a2' } });
      for (const revision of [r2, r2, r1]) await storage.compact(revision, call());
      await rejectsWith(storage.list({ prefix: configmaps, atRevision: r1 }, call()), 'compacted');
      assert.equal((await storage.list({ prefix: configmaps, atRevision: r2 }, call())).records.length, 1);
    },
  },
  {
    behaviour: 'a future revision is refused',
    async run(storage) {
      const revision = await commit(storage, { put: { [key('a')]: 'a' } });
      await rejectsWith(storage.compact(revision + 1000, call()), 'future-revision');
    },
  },
  {
    behaviour: 'a reader at the current revision continues after a compaction',
    async run(storage) {
      const r1 = await commit(storage, { put: { [key('a')]: 'a1' } });
      const stream = storage.changes({ after: r1 }, call())[Symbol.asyncIterator]();
      const r2 = await commit(storage, { put: { [key('a')]: 'a2' } });
      const seen: Change[] = [];
      const readUpTo = async (end: number) => {
        while ((seen.at(-1)?.revision ?? 0) < end) seen.push(...(await stream.next()).value.changes);
      };
      await readUpTo(r2);
      await storage.compact(r2, call());
      const r3 = await commit(storage, { remove: [key('a')] });
      await readUpTo(r3);
      await stream.return?.();
      assert.deepEqual(
        seen.map(change => [change.revision, text(change.previousValue)]),
        [
          [r2, 'a1'],
          [r3, 'a2'],
        ],
      );
    },
  },
  {
    behaviour: 'a reader behind a compaction fails or gets all changes, and never has a gap',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const value = new Uint8Array(50_000);
      const stream = storage.changes({ after: start }, call())[Symbol.asyncIterator]();
      const seen: Change[] = [...(await stream.next()).value.changes];
      const revisions: number[] = [];
      for (let index = 0; index < 200; index++) {
        revisions.push(await commit(storage, { put: { [key(`k${index % 7}`)]: value } }));
      }
      await storage.compact(revisions[150]!, call());
      try {
        while (seen.length < revisions.length) seen.push(...(await stream.next()).value.changes);
      } catch (thrown) {
        assert.ok(isStorageError(thrown, 'compacted'));
      }
      await stream.return?.();
      assertOrdered(seen);
      assert.deepEqual(
        seen.map(change => change.revision),
        revisions.slice(0, seen.length),
      );
    },
  },
];

import assert from 'node:assert/strict';
import { reservationPrefix, storageKeyFrom } from '../keys.ts';
import type { Change } from '../storage.ts';
import {
  assertOrdered,
  batchesUntil,
  type ContractTest,
  call,
  changesUpTo,
  commit,
  inShort,
  key,
  rejectsWith,
} from './contract-test.ts';

/** Guarantees of `changes`. */
export const changesTests: readonly ContractTest[] = [
  {
    behaviour: 'creations, updates and deletions are in order with the bytes before and after',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const before = Date.now();
      const r1 = await commit(storage, { put: { [key('a')]: 'one' } });
      const r2 = await commit(storage, { put: { [key('a')]: 'two' } });
      const r3 = await commit(storage, { remove: [key('a')] });
      const r4 = await commit(storage, { put: { [key('a')]: 'three' } });
      const changes = await changesUpTo(storage, { after: start }, r4);
      assert.deepEqual(changes.map(inShort), [
        `${r1} created ${key('a')} >one`,
        `${r2} updated ${key('a')} one>two`,
        `${r3} deleted ${key('a')} two>`,
        `${r4} created ${key('a')} >three`,
      ]);
      for (const { committedAt } of changes)
        assert.ok(committedAt >= before - 1000 && committedAt <= Date.now() + 1000);
    },
  },
  {
    behaviour: 'the changes of a transaction are consecutive and have one revision',
    async run(storage) {
      const start = await commit(storage, { put: { [key('a')]: 'a' } });
      const end = await commit(storage, {
        put: { [key('b')]: 'b', '/core/secrets/ns/s': 's' },
        remove: [key('a')],
      });
      const batches = await batchesUntil(
        storage,
        { after: start },
        seen => (seen.at(-1)?.revision ?? 0) >= end,
      );
      const batch = batches.find(({ changes }) => changes.length > 0);
      assert.deepEqual(
        batch?.changes.map(inShort).toSorted(),
        [
          `${end} created ${key('b')} >b`,
          `${end} created /core/secrets/ns/s >s`,
          `${end} deleted ${key('a')} a>`,
        ].toSorted(),
      );
    },
  },
  {
    behaviour: 'reserved keys, deletions of absent keys and refused transactions cause no changes',
    async run(storage) {
      const start = await commit(storage, { put: { [`${reservationPrefix}ip/1`]: 'x' } });
      await commit(storage, { remove: [key('none')] });
      await storage.transact(
        {
          preconditions: [{ key: key('a'), revision: start }],
          puts: [{ key: key('a'), value: Buffer.from('no') }],
          deletes: [],
        },
        call(),
      );
      await commit(storage, {
        put: { [`${reservationPrefix}ip/2`]: 'x' },
        remove: [storageKeyFrom(`${reservationPrefix}ip/1`)],
      });
      const end = await commit(storage, { put: { [key('a')]: 'yes', [`${reservationPrefix}ip/3`]: 'x' } });
      const changes = await changesUpTo(storage, { after: start - 1 }, end);
      assert.deepEqual(changes.map(inShort), [`${end} created ${key('a')} >yes`]);
    },
  },
  {
    behaviour: 'a stream that began before the writes has them',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const controller = new AbortController();
      const seen: Change[] = [];
      const reader = (async () => {
        for await (const batch of storage.changes({ after: start }, call(controller.signal))) {
          seen.push(...batch.changes);
          if (seen.length >= 100) controller.abort();
        }
      })();
      const revisions = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          commit(storage, { put: { [key(`k${index % 10}`)]: `${index}` } }),
        ),
      );
      await reader;
      assertOrdered(seen);
      assert.deepEqual(
        seen.map(change => change.revision),
        revisions.toSorted((a, b) => a - b),
      );
    },
  },
  {
    behaviour: 'a stream after any revision has exactly the later changes',
    async run(storage) {
      const revisions: number[] = [];
      for (let index = 0; index < 8; index++)
        revisions.push(await commit(storage, { put: { [key('a')]: `${index}` } }));
      for (const [index, after] of revisions.slice(0, -1).entries()) {
        const changes = await changesUpTo(storage, { after }, revisions.at(-1)!);
        assert.deepEqual(
          changes.map(change => change.revision),
          revisions.slice(index + 1),
        );
      }
    },
  },
  {
    behaviour: 'every reader gets all changes at its own pace',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const streams = Array.from({ length: 5 }, () =>
        storage.changes({ after: start }, call())[Symbol.asyncIterator](),
      );
      await streams[0]?.next();
      let end = 0;
      for (let index = 0; index < 30; index++)
        end = await commit(storage, { put: { [key(`k${index}`)]: `${index}` } });
      for (const stream of streams) {
        let reached = 0;
        let count = 0;
        while (reached < end) {
          const { value } = await stream.next();
          reached = value.revision;
          count += value.changes.length;
        }
        assert.equal(count, 30);
        await stream.return?.();
      }
    },
  },
  {
    behaviour: 'a reader of 2,000 earlier changes gets each once while more are written',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const value = 'v'.repeat(1000);
      const write = async (index: number) =>
        commit(storage, { put: { [key(`k${index % 50}`)]: `${index} ${value}` } });
      const writeAll = async (from: number, count: number): Promise<number[]> => {
        const revisions: number[] = [];
        for (let index = from; index < from + count; index += 50) {
          revisions.push(
            ...(await Promise.all(Array.from({ length: 50 }, (_, offset) => write(index + offset)))),
          );
        }
        return revisions;
      };
      const revisions = await writeAll(0, 2000);
      const more = writeAll(2000, 200);
      const enough = (batches: readonly { changes: readonly unknown[] }[]) =>
        batches.reduce((count, batch) => count + batch.changes.length, 0) >= 2200;
      const [batches, later] = await Promise.all([batchesUntil(storage, { after: start }, enough), more]);
      const changes = batches.flatMap(batch => batch.changes);
      assertOrdered(changes);
      assert.deepEqual(
        changes.map(change => change.revision),
        [...revisions, ...later].toSorted((a, b) => a - b),
      );
      assert.ok(batches.length > 1, 'a long history comes in more than one batch');
    },
  },
  {
    behaviour: 'a slow reader loses nothing and gets large values completely',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const stream = storage.changes({ after: start }, call())[Symbol.asyncIterator]();
      await stream.next();
      const revisions: number[] = [];
      for (let index = 0; index < 12; index++) {
        revisions.push(await commit(storage, { put: { [key('big')]: new Uint8Array(1 << 20).fill(index) } }));
      }
      const seen: Change[] = [];
      while (seen.length < revisions.length) seen.push(...(await stream.next()).value.changes);
      await stream.return?.();
      assert.deepEqual(
        seen.map(change => change.revision),
        revisions,
      );
      for (const [index, change] of seen.entries()) {
        assert.ok(Buffer.alloc(1 << 20, index).equals(change.value));
        assert.equal(change.previousValue.length, index === 0 ? 0 : 1 << 20);
      }
    },
  },
  {
    behaviour:
      'a stream from the start of the window begins with its revision, and has every change after it',
    async run(storage) {
      const r1 = await commit(storage, { put: { [key('a')]: 'one' } });
      const r2 = await commit(storage, { put: { [key('b')]: 'two' } });
      const whole = await batchesUntil(
        storage,
        { from: 'window-start' },
        seen => (seen.at(-1)?.revision ?? 0) >= r2,
      );
      assert.deepEqual(whole[0]?.changes, [], 'the first batch only names the start');
      assert.ok(whole[0].revision < r1);
      assert.deepEqual(
        whole.flatMap(batch => batch.changes).map(change => change.revision),
        [r1, r2],
      );
      await storage.compact(r1, call());
      const rest = await batchesUntil(
        storage,
        { from: 'window-start' },
        seen => (seen.at(-1)?.revision ?? 0) >= r2,
      );
      assert.deepEqual(rest[0], { changes: [], revision: r1 });
      assert.deepEqual(
        rest.flatMap(batch => batch.changes).map(change => change.revision),
        [r2],
      );
    },
  },
  {
    behaviour: 'progress without changes reaches the revision of the store',
    async run(storage) {
      await commit(storage, { put: { [key('a')]: 'a' } });
      const end = await commit(storage, { put: { [`${reservationPrefix}ip/1`]: 'x' } });
      const batches = await batchesUntil(
        storage,
        { after: end },
        seen => seen.filter(batch => batch.revision >= end).length >= 2,
      );
      for (const batch of batches) assert.deepEqual(batch.changes, []);
    },
  },
  {
    behaviour: 'progress includes deletions of absent keys',
    async run(storage) {
      const start = await commit(storage, { put: { [key('a')]: 'a' } });
      await commit(storage, { remove: [key('none')] });
      const end = await commit(storage, { remove: [key('none'), storageKeyFrom('/core/secrets/ns/none')] });
      assert.deepEqual(await changesUpTo(storage, { after: start }, end), []);
    },
  },
  {
    behaviour: 'a start at a future revision is refused',
    async run(storage) {
      const revision = await commit(storage, { put: { [key('a')]: 'a' } });
      const stream = storage.changes({ after: revision + 1000 }, call())[Symbol.asyncIterator]();
      await rejectsWith(Promise.resolve(stream.next()), 'future-revision');
    },
  },
];

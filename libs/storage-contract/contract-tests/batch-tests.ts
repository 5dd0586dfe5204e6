import assert from 'node:assert/strict';
import { type Revision, type StorageKey, storageKeyFrom } from '../keys.ts';
import type { Storage, StorageRecord, TransactionOutcome } from '../storage.ts';
import type { StorageError } from '../storage-error.ts';
import {
  attempt,
  batchesUntil,
  bytes,
  type ContractTest,
  call,
  changesUpTo,
  commit,
  configmaps,
  inShort,
  key,
  rejectsWith,
  text,
  type Write,
} from './contract-test.ts';

/** A committed transaction and its writes. */
interface Committed {
  readonly revision: Revision;
  readonly write: Write;
}

/** Sends all transactions concurrently, so that a store that batches transactions does so; all must commit. */
async function commitTogether(storage: Storage, writes: readonly Write[]): Promise<Committed[]> {
  const revisions = await Promise.all(writes.map(write => commit(storage, write)));
  return revisions
    .map((revision, index) => ({ revision, write: writes[index] ?? {} }))
    .toSorted((a, b) => a.revision - b.revision);
}

/** Creations, updates and deletions with distinct keys; 10 keys each of `a…` to `d…` exist before. */
function mixedWrites(): Write[] {
  const range = Array.from({ length: 10 }, (_, index) => index);
  return range.flatMap(index => [
    { put: { [key(`new-${index}`)]: `n${index}` } },
    { put: { [key(`a-${index}`)]: `a${index}'` } },
    { remove: [key(`b-${index}`)] },
    { put: { [key(`c-${index}`)]: `c${index}'` }, remove: [key(`d-${index}`), key(`none-${index}`)] },
  ]);
}

async function fillForMixedWrites(storage: Storage): Promise<Revision> {
  const names = ['a', 'b', 'c', 'd'].flatMap(letter =>
    Array.from({ length: 10 }, (_, index) => `${letter}-${index}`),
  );
  return await commit(storage, { put: Object.fromEntries(names.map(name => [key(name), name])) });
}

/** Returns the state after the writes, as `key=value` in key order. */
function stateAfter(before: readonly StorageRecord[], committed: readonly Committed[]): string[] {
  const state = new Map(before.map(record => [record.key as string, text(record.value)]));
  for (const { write } of committed) {
    for (const removed of write.remove ?? []) state.delete(removed);
    for (const [put, value] of Object.entries(write.put ?? {})) state.set(put, String(value));
  }
  return [...state].map(([name, value]) => `${name}=${value}`).toSorted();
}

async function listAt(
  storage: Storage,
  atRevision: Revision,
  limit?: number,
): Promise<{ readonly records: StorageRecord[]; readonly pages: number }> {
  const records: StorageRecord[] = [];
  for (let pages = 1; ; pages++) {
    const startAfter = records.at(-1)?.key;
    const query = {
      prefix: configmaps,
      atRevision,
      ...(limit && { limit }),
      ...(startAfter && { startAfter }),
    };
    const page = await storage.list(query, call());
    assert.equal(page.revision, atRevision);
    assert.ok(limit === undefined || page.records.length <= limit);
    records.push(...page.records);
    if (!page.more) {
      assert.equal(page.remaining, 0);
      return { records, pages };
    }
    assert.ok(page.records.length > 0, 'a page that is not the last one has a record');
  }
}

/** Guarantees for concurrent transactions, which a store may commit as one. */
export const batchTests: readonly ContractTest[] = [
  {
    behaviour:
      'a list at the revision of each transaction shows its writes and earlier ones, and no later ones',
    async run(storage) {
      const start = await fillForMixedWrites(storage);
      const { records: before } = await listAt(storage, start);
      const committed = await commitTogether(storage, mixedWrites());
      for (const [index, { revision }] of committed.entries()) {
        const expected = stateAfter(before, committed.slice(0, index + 1));
        // There are as many pages of one record as records.
        const limits = index === 20 ? [1] : index % 5 === 0 ? [7] : [];
        for (const limit of [undefined, ...limits]) {
          const { records } = await listAt(storage, revision, limit);
          const shown = records.map(record => `${record.key}=${text(record.value)}`);
          assert.deepEqual(shown, expected, `at the revision of transaction ${index}, limit ${limit}`);
        }
      }
    },
  },
  {
    behaviour: 'records and changes name the revision of their own transaction',
    async run(storage) {
      const start = await fillForMixedWrites(storage);
      const committed = await commitTogether(storage, mixedWrites());
      const end = committed.at(-1)?.revision ?? 0;
      const changes = await changesUpTo(storage, { after: start }, end);
      const revisionOf = new Map<string, Revision>();
      for (const { revision, write } of committed)
        for (const name of [...Object.keys(write.put ?? {}), ...(write.remove ?? [])])
          if (!name.includes('none')) revisionOf.set(name, revision);
      assert.deepEqual(new Map(changes.map(change => [change.key as string, change.revision])), revisionOf);
      for (const { key: name, revision } of (await listAt(storage, end)).records)
        if (revision > start) assert.equal(revision, revisionOf.get(name), name);
    },
  },
  {
    behaviour: 'a stream after the revision of each transaction has exactly the changes of later ones',
    async run(storage) {
      const start = await fillForMixedWrites(storage);
      const committed = await commitTogether(storage, mixedWrites());
      const end = committed.at(-1)?.revision ?? 0;
      const all = (await changesUpTo(storage, { after: start }, end)).map(inShort);
      for (const { revision } of committed.filter((_, index) => index % 4 === 0)) {
        if (revision === end) continue;
        const changes = await changesUpTo(storage, { after: revision }, end);
        assert.deepEqual(
          changes.map(inShort),
          all.filter(change => Number(change.split(' ')[0]) > revision),
        );
      }
    },
  },
  {
    behaviour: 'each transaction has its own preconditions, and a refused one does not affect others',
    async run(storage) {
      const revision = await commit(storage, { put: { [key('taken')]: 'first', [key('shared')]: 's' } });
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, index): Promise<TransactionOutcome> => {
          const own = key(index % 3 === 0 ? 'taken' : `own-${index}`);
          const when = [
            { key: key('shared'), revision },
            { key: own, revision: 0 },
          ];
          return attempt(storage, { when, put: { [own]: `${index}` } });
        }),
      );
      for (const [index, outcome] of outcomes.entries()) {
        assert.equal(outcome.committed, index % 3 !== 0, `transaction ${index}`);
        if (outcome.committed) continue;
        assert.equal(outcome.failedPrecondition, 1);
        assert.equal(text(outcome.current?.value), 'first');
        assert.equal(outcome.current?.revision, revision);
      }
      const committed = outcomes.filter(outcome => outcome.committed);
      assert.equal(new Set(committed.map(outcome => outcome.revision)).size, 20);
    },
  },
  {
    behaviour: 'a transaction with a precondition on the write of another sees all of that write or nothing',
    async run(storage) {
      for (let round = 0; round < 5; round++) {
        const shared = key(`namespace-${round}`);
        const revision = await commit(storage, { put: { [shared]: 'open' } });
        const when = [{ key: shared, revision }];
        const [closing, ...inside] = await Promise.all([
          attempt(storage, { when, put: { [shared]: 'closed' } }),
          ...Array.from({ length: 12 }, (_, index) =>
            attempt(storage, { when, put: { [key(`inside-${round}-${index}`)]: 'x' } }),
          ),
        ]);
        assert.ok(closing?.committed);
        for (const outcome of inside) {
          if (outcome.committed)
            assert.ok(outcome.revision < closing.revision, 'nothing is written after closing');
          else assert.equal(text(outcome.current?.value), 'closed');
        }
      }
    },
  },
  {
    behaviour: 'type revisions include the last transaction, and the stream of changes reaches them',
    async run(storage) {
      const start = await storage.typeRevision(undefined, call());
      const taken = await commit(storage, { put: { [key('taken')]: 'x' } });
      const secret = (index: number): StorageKey => storageKeyFrom(`/core/secrets/ns/s${index}`);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          if (index % 2 === 0) return attempt(storage, { put: { [secret(index)]: 's' } });
          return attempt(storage, {
            when: [{ key: key('taken'), revision: 0 }],
            put: { [key('taken')]: 'y' },
          });
        }),
      );
      const lastRevision = (from: readonly TransactionOutcome[]) =>
        Math.max(...from.map(({ revision }) => revision));
      const secrets = await storage.typeRevision(storageKeyFrom('/core/secrets/'), call());
      const ofConfigmaps = await storage.typeRevision(configmaps, call());
      assert.ok(secrets >= lastRevision(outcomes.filter(({ committed }) => committed)));
      assert.ok(ofConfigmaps >= taken);
      const reached = Math.max(secrets, ofConfigmaps);
      const batches = await batchesUntil(
        storage,
        { after: start },
        seen => (seen.at(-1)?.revision ?? 0) >= reached,
      );
      const changes = batches.flatMap(batch => batch.changes);
      assert.equal(changes.filter(change => change.key.startsWith('/core/secrets/')).length, 20);
      const at = await storage.list({ prefix: configmaps, atRevision: ofConfigmaps }, call());
      assert.deepEqual(
        at.records.map(record => text(record.value)),
        ['x'],
      );
    },
  },
  {
    behaviour: 'large transactions, and ones of many keys, are committed among small ones',
    async run(storage) {
      const large = new Uint8Array(700_000).fill(1);
      const many = (index: number): Write => ({
        put: Object.fromEntries(
          Array.from({ length: 100 }, (_, item) => [key(`many-${index}-${item}`), 'x']),
        ),
      });
      const writes = Array.from({ length: 24 }, (_, index): Write => {
        if (index % 6 === 1) return { put: { [key(`large-${index}`)]: large } };
        if (index % 6 === 3) return many(index);
        return { put: { [key(`small-${index}`)]: 'x' } };
      });
      const committed = await commitTogether(storage, writes);
      assert.equal(new Set(committed.map(({ revision }) => revision)).size, writes.length);
      const end = committed.at(-1)?.revision ?? 0;
      assert.equal((await listAt(storage, end)).records.length, 4 + 400 + 16);
    },
  },
  {
    behaviour: 'an aborted transaction, and one that is too large, do not affect others',
    async run(storage) {
      const leaving = new AbortController();
      const left = Array.from({ length: 5 }, (_, index) => {
        const puts = [{ key: key(`left-${index}`), value: bytes('x') }];
        const outcome = storage.transact({ preconditions: [], puts, deletes: [] }, call(leaving.signal));
        return outcome.then(
          ({ committed }) => (committed ? 'committed' : 'refused'),
          (error: StorageError) => error.kind,
        );
      });
      const tooLarge = rejectsWith(
        attempt(storage, { put: { [key('too-large')]: new Uint8Array(2_000_000) } }),
        'too-large',
      );
      const stayed = Array.from({ length: 20 }, (_, index) =>
        commit(storage, { put: { [key(`stayed-${index}`)]: 'x' } }),
      );
      leaving.abort();
      await tooLarge;
      assert.equal(new Set(await Promise.all(stayed)).size, 20);
      const { records } = await storage.list({ prefix: configmaps }, call());
      const names = new Set<string>(records.map(record => record.key));
      for (const [index, promise] of left.entries()) {
        const outcome = await promise;
        assert.ok(['committed', 'cancelled', 'unknown-outcome'].includes(outcome), outcome);
        if (outcome !== 'unknown-outcome')
          assert.equal(names.has(key(`left-${index}`)), outcome === 'committed', outcome);
      }
    },
  },
  {
    behaviour:
      'after a compaction at the revision of a transaction, it and later ones can be read and followed',
    async run(storage) {
      const start = await fillForMixedWrites(storage);
      const { records: before } = await listAt(storage, start);
      const committed = await commitTogether(storage, mixedWrites());
      const end = committed.at(-1)?.revision ?? 0;
      const middle = Math.floor(committed.length / 2);
      await storage.compact(committed[middle]?.revision ?? 0, call());
      for (const [index, { revision }] of committed.entries()) {
        if (index < middle) continue;
        const { records } = await listAt(storage, revision);
        const shown = records.map(record => `${record.key}=${text(record.value)}`);
        assert.deepEqual(shown, stateAfter(before, committed.slice(0, index + 1)));
      }
      const changes = await changesUpTo(storage, { after: committed[middle]?.revision ?? 0 }, end);
      assert.equal(new Set(changes.map(({ revision }) => revision)).size, committed.length - middle - 1);
    },
  },
];

import type { CallContext } from '@binnacle/proto';
import {
  type ChangeBatch,
  type ChangesStart,
  type Revision,
  type Storage,
  StorageError,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import { assertWanted } from '../call-limits.ts';

/**
 * Where a restored store keeps the revision behind which its own begin, in decimal digits. It is written once, with the first
 * transaction of the restore.
 */
export const revisionFloorKey = storageKeyFrom('/_revision-floor');

/** Encodes a revision floor. */
export function encodeFloor(floor: Revision): Uint8Array {
  return Buffer.from(String(floor));
}

/**
 * Adds the revision floor of a restored store to every revision that follows from etcd's, and takes it off those that callers name:
 * etcd numbers the transactions of a new cluster from the beginning. Revisions up to the floor were given out by earlier lives of
 * the store; its history begins behind them. A store without a floor is used directly.
 *
 * The floor is read before the first call is served.
 */
export function withRevisionFloor(storage: Storage): Storage {
  let ready: Storage | undefined;
  const load = async (call: CallContext): Promise<Storage> => {
    const { record } = await storage.get(revisionFloorKey, call);
    ready ??= record === undefined ? storage : movedStorage(storage, decodeFloor(record.value));
    return ready;
  };
  async function* changesOnceLoaded(start: ChangesStart, call: CallContext): AsyncIterable<ChangeBatch> {
    if (!call.signal.aborted) yield* (await load(call)).changes(start, call);
  }
  return {
    get: (key, call) => (ready ? ready.get(key, call) : load(call).then(each => each.get(key, call))),
    list: (query, call) =>
      ready ? ready.list(query, call) : load(call).then(each => each.list(query, call)),
    transact: (transaction, call) =>
      ready ? ready.transact(transaction, call) : load(call).then(each => each.transact(transaction, call)),
    typeRevision: (prefix, call) =>
      ready ? ready.typeRevision(prefix, call) : load(call).then(each => each.typeRevision(prefix, call)),
    changes: (start, call) => (ready ? ready.changes(start, call) : changesOnceLoaded(start, call)),
    compact: (revision, call) =>
      ready ? ready.compact(revision, call) : load(call).then(each => each.compact(revision, call)),
  };
}

function decodeFloor(value: Uint8Array): Revision {
  const floor = Number(Buffer.from(value).toString());
  if (!Number.isSafeInteger(floor) || floor < 1)
    throw new StorageError('unavailable', `the store has a ${revisionFloorKey} that is not a revision`);
  return floor;
}

/** A revision that is inside history for etcd, and that no key was ever written at. */
const neverWritten: Revision = 1;

function movedStorage(storage: Storage, floor: Revision): Storage {
  const moved = (revision: Revision): Revision => (revision === 0 ? 0 : revision + floor);
  const movedRecord = (record: StorageRecord): StorageRecord => ({
    ...record,
    revision: moved(record.revision),
  });
  const own = (revision: Revision): Revision => {
    if (revision <= floor)
      throw new StorageError(
        'compacted',
        `revision ${revision} was requested, history begins after ${floor}`,
      );
    return revision - floor;
  };
  return {
    async get(key, call) {
      const { record, revision } = await storage.get(key, call);
      return { record: record && movedRecord(record), revision: moved(revision) };
    },
    async list({ atRevision, ...query }, call) {
      const at = atRevision === undefined ? {} : { atRevision: own(atRevision) };
      const page = await storage.list({ ...query, ...at }, call);
      return { ...page, records: page.records.map(movedRecord), revision: moved(page.revision) };
    },
    async transact(transaction, call) {
      const preconditions = transaction.preconditions.map(({ key, revision }) => {
        if (revision === 0) return { key, revision };
        return { key, revision: revision <= floor ? neverWritten : revision - floor };
      });
      const outcome = await storage.transact({ ...transaction, preconditions }, call);
      const revision = moved(outcome.revision);
      if (outcome.committed) return { ...outcome, revision };
      return { ...outcome, revision, current: outcome.current && movedRecord(outcome.current) };
    },
    typeRevision: async (prefix, call) => moved(await storage.typeRevision(prefix, call)),
    async *changes(start, call) {
      const from = 'after' in start ? { ...start, after: own(start.after) } : start;
      for await (const batch of storage.changes(from, call))
        yield {
          ...batch,
          changes: batch.changes.map(change => ({ ...change, revision: moved(change.revision) })),
          revision: moved(batch.revision),
        };
    },
    async compact(revision, call) {
      assertWanted(call);
      if (revision > floor) await storage.compact(revision - floor, call);
    },
  };
}

import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey, StorageRecord } from '@binnacle/storage-contract';
import type { KeyRange } from '../key-layout.ts';
import { keysInMark } from './batch-request.ts';
import type { EtcdConnection } from './connection.ts';
import { etcdRevisionFrom, positionInBatch } from './revisions.ts';
import { positionIn, recordFromEtcd } from './stored-values.ts';

/**
 * Reads the keys of a range that later members of a batch changed, each with its record as of a revision inside the batch;
 * undefined for a key that was absent then. etcd only has the state after a whole batch; with these records in it, that becomes
 * the state at the revision inside the batch.
 */
export async function recordsBeforeLater(
  connection: EtcdConnection,
  range: KeyRange,
  revision: Revision,
  call: CallContext,
): Promise<ReadonlyMap<StorageKey, StorageRecord | undefined>> {
  const { layout } = connection;
  const before = new Map<StorageKey, StorageRecord | undefined>();
  const keys = [
    ...(await putAfter(connection, range, revision, call)),
    ...(await deletedAfter(connection, range, revision, call)),
  ];
  for (const key of keys) {
    const at = { key: layout.toBytes(key), revision: etcdRevisionFrom(revision) - 1 };
    const kv = (await connection.range(at, call)).kvs[0];
    before.set(key, kv && recordFromEtcd(layout, kv));
  }
  return before;
}

/** Finds the keys of a range that later members of the batch put. */
async function putAfter(
  connection: EtcdConnection,
  { start, end }: KeyRange,
  revision: Revision,
  call: CallContext,
): Promise<StorageKey[]> {
  const response = await rangeOfBatch(connection, { start, end }, revision, call);
  return response
    .filter(({ value }) => positionIn(value) > positionInBatch(revision))
    .map(({ key }) => connection.layout.toKey(key));
}

/** Finds the keys of a range that later members of the batch deleted. */
async function deletedAfter(
  connection: EtcdConnection,
  { start, end }: KeyRange,
  revision: Revision,
  call: CallContext,
): Promise<StorageKey[]> {
  const { layout } = connection;
  const marks = await rangeOfBatch(connection, layout.deletionMarks, revision, call);
  return marks
    .filter(({ key }) => (layout.positionOfMark(key) ?? 0) > positionInBatch(revision))
    .flatMap(({ value }) => keysInMark(value))
    .filter(key => {
      const bytes = layout.toBytes(key);
      return Buffer.compare(bytes, start) >= 0 && Buffer.compare(bytes, end) < 0;
    });
}

/** Reads the writes to a range by the batch that contains a revision. */
async function rangeOfBatch(
  connection: EtcdConnection,
  { start, end }: KeyRange,
  revision: Revision,
  call: CallContext,
) {
  const at = etcdRevisionFrom(revision);
  const request = { key: start, range_end: end, revision: at, min_mod_revision: at, max_mod_revision: at };
  return (await connection.range(request, call)).kvs;
}

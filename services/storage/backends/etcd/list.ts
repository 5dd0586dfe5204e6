import type { CallContext } from '@binnacle/proto';
import type { ListQuery, RecordPage, Revision, StorageRecord } from '@binnacle/storage-contract';
import { maxPageBytes, pageRecords } from '../page-bounds.ts';
import { recordsBeforeLater } from './batch-history.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { etcdRevisionFrom, isInsideBatch } from './revisions.ts';
import { recordFromEtcd, storeRevision } from './stored-values.ts';

/** Records of the first range of a page, while their size is unknown. */
const firstRangeRecords = 100;

/**
 * Reads a page as of the current or an earlier revision, in ranges: etcd bounds a range by count alone, so each further range asks
 * for as many records as should fit into the remaining bytes of the page.
 */
export async function list(
  connection: EtcdConnection,
  query: ListQuery,
  call: CallContext,
): Promise<RecordPage> {
  try {
    const page = await readPage(connection, query, call);
    const { atRevision } = query;
    if (atRevision === undefined || !isInsideBatch(atRevision)) return page;
    return await pageWithinBatch(connection, { ...query, atRevision }, page, call);
  } catch (thrown) {
    throw storageErrorFromEtcd(thrown);
  }
}

/** Reads a page as of the state after the whole batch that contains the revision. */
async function readPage(
  connection: EtcdConnection,
  query: ListQuery,
  call: CallContext,
): Promise<RecordPage> {
  const limit = pageRecords(query.limit);
  const records: StorageRecord[] = [];
  let revision: Revision = query.atRevision ?? 0;
  let bytes = 0;
  for (;;) {
    const range = connection.layout.below(query.prefix, records.at(-1)?.key ?? query.startAfter);
    const count = Math.min(limit - records.length, rangeRecords(records.length, bytes));
    const response = await connection.range(
      { key: range.start, range_end: range.end, limit: count, revision: etcdRevisionFrom(revision) },
      call,
    );
    if (revision === 0) revision = storeRevision(response);
    let taken = 0;
    for (const kv of response.kvs) {
      bytes += kv.key.length + kv.value.length;
      if (records.length > 0 && bytes > maxPageBytes) break;
      records.push(recordFromEtcd(connection.layout, kv));
      taken++;
    }
    const remaining = Number(response.count) - taken;
    if (remaining === 0 || records.length >= limit || taken < response.kvs.length || bytes >= maxPageBytes) {
      return { records, revision, more: remaining > 0, remaining };
    }
  }
}

/**
 * Reads the page as of a revision inside a batch, based on that of the whole batch. The count of remaining records is that of the whole
 * batch.
 */
async function pageWithinBatch(
  connection: EtcdConnection,
  query: ListQuery & { readonly atRevision: Revision },
  page: RecordPage,
  call: CallContext,
): Promise<RecordPage> {
  const { layout } = connection;
  const { start, end: endOfAll } = layout.below(query.prefix, query.startAfter);
  const last = page.more ? page.records.at(-1)?.key : undefined;
  const end = last === undefined ? endOfAll : layout.below(query.prefix, last).start;
  // Bounded by the end of the page: etcd reads a whole range before it filters out the writes of other batches.
  const later = await recordsBeforeLater(connection, { start, end }, query.atRevision, call);
  if (later.size === 0) return page;
  const records = page.records.filter(({ key }) => !later.has(key));
  let { remaining } = page;
  for (const record of later.values()) if (record !== undefined) records.push(record);
  records.sort((a, b) => Buffer.compare(layout.toBytes(a.key), layout.toBytes(b.key)));
  remaining += records.splice(pageRecords(query.limit)).length;
  // All records of the page are later than the revision: continue with the next page.
  if (records.length === 0 && last !== undefined && remaining > 0)
    return await list(connection, { ...query, startAfter: last }, call);
  return { records, revision: query.atRevision, more: remaining > 0, remaining };
}

function rangeRecords(read: number, bytes: number): number {
  if (read === 0) return firstRangeRecords;
  return Math.max(1, Math.ceil((maxPageBytes - bytes) / (bytes / read)));
}

import type { CallContext } from '@binnacle/proto';
import type { ListQuery, RecordPage, Revision, StorageRecord } from '@binnacle/storage-contract';
import { maxPageBytes, pageRecords } from '../page-bounds.ts';
import { recordsBeforeLater } from './batch-history.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { etcdRevisionFrom, isInsideBatch } from './revisions.ts';
import { recordFromEtcd, storeRevision } from './stored-values.ts';

/** Records of the first range of a page, before anything is known of their size. */
const firstRangeRecords = 100;

/**
 * A page as of the current or an earlier revision, read in ranges: etcd bounds a range by count alone, so each next
 * one asks for as many records as should fit into what is left of the page's bytes.
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

/** A page as of the state after the whole batch that the revision lies in. */
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
 * The page as of a revision inside a batch, from that of the whole batch. What remains after the page is counted as of the
 * whole batch.
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
  // Up to the end of the page: etcd reads all of a range before it leaves out what another batch wrote.
  const later = await recordsBeforeLater(connection, { start, end }, query.atRevision, call);
  if (later.size === 0) return page;
  const records = page.records.filter(({ key }) => !later.has(key));
  let { remaining } = page;
  for (const record of later.values()) if (record !== undefined) records.push(record);
  records.sort((a, b) => Buffer.compare(layout.toBytes(a.key), layout.toBytes(b.key)));
  remaining += records.splice(pageRecords(query.limit)).length;
  // All that the page had is later: the next page is this one.
  if (records.length === 0 && last !== undefined && remaining > 0)
    return await list(connection, { ...query, startAfter: last }, call);
  return { records, revision: query.atRevision, more: remaining > 0, remaining };
}

function rangeRecords(read: number, bytes: number): number {
  if (read === 0) return firstRangeRecords;
  return Math.max(1, Math.ceil((maxPageBytes - bytes) / (bytes / read)));
}

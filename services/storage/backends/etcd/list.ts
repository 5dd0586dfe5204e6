import type { CallContext } from '@binnacle/proto';
import type { ListQuery, RecordPage, Revision, StorageRecord } from '@binnacle/storage-contract';
import { maxPageBytes, pageRecords } from '../page-bounds.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { recordFromEtcd, storeRevision } from './records.ts';

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
    return await readPage(connection, query, call);
  } catch (thrown) {
    throw storageErrorFromEtcd(thrown);
  }
}

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
      { key: range.start, range_end: range.end, limit: count, revision },
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

function rangeRecords(read: number, bytes: number): number {
  if (read === 0) return firstRangeRecords;
  return Math.max(1, Math.ceil((maxPageBytes - bytes) / (bytes / read)));
}

import {
  type ListQuery,
  ownBytes,
  type RecordPage,
  type Revision,
  StorageError,
  type StorageRecord,
} from '@binnacle/storage-contract';
import type { KeyRange } from '../key-layout.ts';
import { maxPageBytes, pageRecords } from '../page-bounds.ts';
import { keyOfHistoryKey, revisionFromKey } from './rows.ts';
import type { EmbeddedStore } from './store.ts';

/** Reads a page as of the current or an earlier revision. */
export function list(store: EmbeddedStore, query: ListQuery): RecordPage {
  const { revision: now, compacted } = store.snapshot();
  const revision = query.atRevision ?? now;
  if (revision > now) {
    throw new StorageError('future-revision', `revision ${revision} was requested, the store is at ${now}`);
  }
  if (revision < compacted) {
    throw new StorageError('compacted', `revision ${revision} was requested, history begins at ${compacted}`);
  }
  const range = store.layout.below(query.prefix, query.startAfter);
  const all = revision === now ? currentRows(store, range) : rowsAtRevision(store, range, revision);
  const page = takePage(store, all, pageRecords(query.limit));
  const last = page.at(-1);
  const rest = last === undefined ? range : store.layout.below(query.prefix, last.key);
  const remaining =
    revision === now ? store.current.getKeysCount(rest) : count(rowsAtRevision(store, rest, revision));
  return { records: page, revision, more: remaining > 0, remaining };
}

/** A record by its position in a table. */
interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly revision: Revision;
}

function takePage(store: EmbeddedStore, rows: Iterable<Row>, limit: number): StorageRecord[] {
  const records: StorageRecord[] = [];
  let bytes = 0;
  for (const { key, value, revision } of rows) {
    bytes += key.length + value.length;
    if (records.length > 0 && bytes > maxPageBytes) break;
    records.push({ key: store.layout.toKey(key), value: ownBytes(value), revision });
    if (records.length >= limit) break;
  }
  return records;
}

function* currentRows(store: EmbeddedStore, range: KeyRange): Iterable<Row> {
  for (const { key, value, version } of store.current.getRange({ ...range, versions: true })) {
    yield { key, value, revision: version ?? 0 };
  }
}

/**
 * Yields the records of a range as of a revision. Keys that were not written since are in the current table; for the others the
 * history has the record that was written at or before the revision and replaced after it. No key is in both.
 */
function* rowsAtRevision(store: EmbeddedStore, range: KeyRange, revision: Revision): Iterable<Row> {
  const unchanged = filter(currentRows(store, range), row => row.revision <= revision);
  const replaced = replacedRows(store, range, revision)[Symbol.iterator]();
  try {
    let older = replaced.next();
    for (const row of unchanged) {
      while (!older.done && Buffer.compare(older.value.key, row.key) < 0) {
        yield older.value;
        older = replaced.next();
      }
      yield row;
    }
    for (; !older.done; older = replaced.next()) yield older.value;
  } finally {
    // A page that ends early would leave the cursor open, which holds one of LMDB's few reader slots.
    replaced.return?.();
  }
}

function* replacedRows(store: EmbeddedStore, range: KeyRange, revision: Revision): Iterable<Row> {
  for (const { key: bytes, value, version } of store.history.getRange({ ...range, versions: true })) {
    const written = revisionFromKey(bytes);
    const key = keyOfHistoryKey(bytes);
    // A range that starts right after a key would include the history of that key, which sorts after it.
    if (Buffer.compare(key, range.start) < 0) continue;
    if (written <= revision && revision < (version ?? 0)) yield { key, value, revision: written };
  }
}

function* filter<T>(items: Iterable<T>, keep: (item: T) => boolean): Iterable<T> {
  for (const item of items) if (keep(item)) yield item;
}

function count(items: Iterable<unknown>): number {
  let total = 0;
  for (const _ of items) total++;
  return total;
}

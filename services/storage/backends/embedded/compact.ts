import { type Revision, StorageError } from '@binnacle/storage-contract';
import { decodeLogRow, historyKey, revisionKey } from './rows.ts';
import type { EmbeddedStore } from './store.ts';

/** Log rows that one commit removes; few, so that writers wait only briefly. */
const rowsPerCommit = 500;

/**
 * Removes the records that only reads before a revision need.
 *
 * The bound is written first: a compaction that is cut short leaves rows that no reader can reach, and the next one
 * begins with them.
 */
export async function compact(store: EmbeddedStore, revision: Revision): Promise<void> {
  const { revision: now, compacted } = store.snapshot();
  if (revision > now) {
    throw new StorageError(
      'future-revision',
      `compaction at ${revision} was requested, the store is at ${now}`,
    );
  }
  if (revision <= compacted) return;
  await store.write(() => store.setCompacted(Math.max(revision, store.bounds().compacted)));
  while ((await store.write(() => removeRows(store, revision))) === rowsPerCommit);
}

function removeRows(store: EmbeddedStore, revision: Revision): number {
  const rows = [...store.log.getRange({ end: revisionKey(revision + 1), limit: rowsPerCommit })];
  for (const { key, value } of rows) {
    for (const write of decodeLogRow(value).writes) {
      if (write.previousRevision > 0) store.history.remove(historyKey(write.key, write.previousRevision));
    }
    store.log.remove(key);
  }
  return rows.length;
}

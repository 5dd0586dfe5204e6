import type { CallContext } from '@binnacle/proto';
import {
  type Change,
  type ChangeBatch,
  type ChangesStart,
  isReservedKey,
  ownBytes,
  type Revision,
  StorageError,
} from '@binnacle/storage-contract';
import { maxBatchChanges, maxPageBytes, progressIntervalMs } from '../page-bounds.ts';
import { decodeLogRow, historyKey, type LoggedWrite, revisionFromKey, revisionKey } from './rows.ts';
import type { EmbeddedStore } from './store.ts';

/** Follows the log from where the reader is; holds nothing for a reader that does not come for more. */
export async function* changes(
  store: EmbeddedStore,
  start: ChangesStart,
  call: CallContext,
): AsyncIterable<ChangeBatch> {
  if (call.signal.aborted) return;
  const { revision, compacted } = store.snapshot();
  let after = 'after' in start ? start.after : compacted;
  if (after > revision) {
    throw new StorageError(
      'future-revision',
      `changes after ${after} are asked for, the store is at ${revision}`,
    );
  }
  if ('from' in start) yield { changes: [], revision: after };
  let noteDue = performance.now() + progressIntervalMs;
  while (!call.signal.aborted) {
    const batch = nextBatch(store, after);
    const moved = batch.revision > after;
    after = batch.revision;
    if (batch.changes.length > 0 || performance.now() >= noteDue) {
      yield batch;
      noteDue = performance.now() + progressIntervalMs;
    } else if (!moved) {
      await nextCommit(store, noteDue - performance.now(), call.signal);
    }
  }
}

/** Whole revisions after the given one, within the bounds of a batch. */
function nextBatch(store: EmbeddedStore, after: Revision): ChangeBatch {
  const { compacted } = store.snapshot();
  if (after < compacted) {
    throw new StorageError(
      'compacted',
      `changes after ${after} are asked for, history begins at ${compacted}`,
    );
  }
  const found: Change[] = [];
  let bytes = 0;
  let revision = after;
  for (const { key, value } of store.log.getRange({
    start: revisionKey(after + 1),
    limit: maxBatchChanges,
  })) {
    revision = revisionFromKey(key);
    const { writes, committedAt } = decodeLogRow(value);
    for (const write of writes) {
      const change = changeFrom(store, write, { revision, committedAt });
      if (change === undefined) continue;
      found.push(change);
      bytes += change.key.length + change.value.length + change.previousValue.length;
    }
    if (bytes >= maxPageBytes || found.length >= maxBatchChanges) break;
  }
  return { changes: found, revision };
}

function changeFrom(
  store: EmbeddedStore,
  write: LoggedWrite,
  at: { readonly revision: Revision; readonly committedAt: number },
): Change | undefined {
  const key = store.layout.keyOf(write.key);
  if (isReservedKey(key)) return undefined;
  const { deleted, previousRevision } = write;
  const type = deleted ? 'deleted' : previousRevision === 0 ? 'created' : 'updated';
  const value = deleted ? none : bytesAt(store, write.key, at.revision);
  return { type, ...at, key, value, previousValue: bytesAt(store, write.key, previousRevision) };
}

const none = new Uint8Array(0);

/** What a key held from one of its own revisions on. */
function bytesAt(store: EmbeddedStore, key: Buffer, revision: Revision): Uint8Array {
  if (revision === 0) return none;
  const entry = store.current.getEntry(key);
  const value = entry?.version === revision ? entry.value : store.history.get(historyKey(key, revision));
  if (value === undefined)
    throw new StorageError('unavailable', `the history of ${key} lacks revision ${revision}`);
  return ownBytes(value);
}

/** Waits for a commit, some milliseconds, or the signal. */
function nextCommit(store: EmbeddedStore, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(milliseconds, 0));
    const stopListening = store.onCommit(done);
    signal.addEventListener('abort', done, { once: true });
  });
}

import { pause } from '@binnacle/event-loop';
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
import { bytesOfChange } from './recent-changes.ts';
import {
  changeType,
  decodeLogRow,
  historyKey,
  type LoggedWrite,
  revisionFromKey,
  revisionKey,
} from './rows.ts';
import type { EmbeddedStore } from './store.ts';

/**
 * Follows the log from the reader's revision; holds nothing for a reader that stops reading. A reader close to the end of the log
 * gets the changes from memory.
 */
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
      `changes after ${after} were requested, the store is at ${revision}`,
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

/** Reads the whole revisions after the given one, within the bounds of a batch. */
function nextBatch(store: EmbeddedStore, after: Revision): ChangeBatch {
  const { revision: last, compacted } = store.snapshot();
  if (after < compacted) {
    throw new StorageError(
      'compacted',
      `changes after ${after} were requested, history begins at ${compacted}`,
    );
  }
  const batch = new GrowingBatch(after);
  while (!batch.isFull && batch.revision < last) {
    const recent = store.recent.get(batch.revision + 1);
    if (recent === undefined) break;
    batch.add(batch.revision + 1, recent);
  }
  if (batch.revision === after && after < last) readLog(store, batch);
  return { changes: batch.changes, revision: batch.revision };
}

/** Fills an empty batch from the log. */
function readLog(store: EmbeddedStore, batch: GrowingBatch): void {
  const start = revisionKey(batch.revision + 1);
  for (const { key, value } of store.log.getRange({ start, limit: maxBatchChanges })) {
    const revision = revisionFromKey(key);
    const { writes, committedAt } = decodeLogRow(value);
    const changed = writes.map(write => changeFrom(store, write, { revision, committedAt }));
    batch.add(
      revision,
      changed.filter(change => change !== undefined),
    );
    if (batch.isFull) return;
  }
}

class GrowingBatch {
  revision: Revision;
  readonly changes: Change[] = [];
  #bytes = 0;

  constructor(after: Revision) {
    this.revision = after;
  }

  get isFull(): boolean {
    return this.#bytes >= maxPageBytes || this.changes.length >= maxBatchChanges;
  }

  add(revision: Revision, changes: readonly Change[]): void {
    this.revision = revision;
    for (const change of changes) {
      this.changes.push(change);
      this.#bytes += bytesOfChange(change);
    }
  }
}

function changeFrom(
  store: EmbeddedStore,
  write: LoggedWrite,
  at: { readonly revision: Revision; readonly committedAt: number },
): Change | undefined {
  const key = store.layout.toKey(write.key);
  if (isReservedKey(key)) return undefined;
  const value = write.deleted ? none : bytesAt(store, write.key, at.revision);
  const previousValue = bytesAt(store, write.key, write.previousRevision);
  return { type: changeType(write), ...at, key, value, previousValue };
}

const none = new Uint8Array(0);

/** Reads the value that a revision gave to a key. */
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
  return pause(milliseconds, signal, { wakeBy: wake => store.onCommit(wake) });
}

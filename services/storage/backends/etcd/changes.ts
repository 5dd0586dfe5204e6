import { Backoff } from '@binnacle/event-loop';
import { type CallContext, noDeadline } from '@binnacle/proto';
import {
  type ChangeBatch,
  type ChangesStart,
  isStorageError,
  type Revision,
  StorageError,
  storageKeyFrom,
  typeRevisionPrefix,
} from '@binnacle/storage-contract';
import { progressIntervalMs } from '../page-bounds.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { lastWholeBatch, revisionFromEtcd } from './revisions.ts';
import { storeRevision } from './stored-values.ts';
import { CompactedWatch, splitIntoBatches, WatchStream } from './watch-stream.ts';

/** Milliseconds without success after which the failure of a broken watch reaches the reader. */
const reconnectForMs = 10_000;

/** Milliseconds that events may lag behind the type revisions, or a reader behind the events, before the watch is renewed. */
const maxLagMs = 5000;

/** The position of a reader. */
interface Position {
  /** Revision up to which every change was delivered. */
  after: Revision;
  /** Time of the watch's last success, by the monotonic clock. */
  aliveAt: number;
}

/** Yields changes from one watch stream of etcd at a time; a broken stream is replaced by one that starts where it ended. */
export async function* changes(
  connection: EtcdConnection,
  start: ChangesStart,
  call: CallContext,
): AsyncIterable<ChangeBatch> {
  const { signal } = call;
  if (signal.aborted) return;
  const position: Position = { after: 0, aliveAt: performance.now() };
  try {
    if ('from' in start) {
      position.after = await windowStart(connection, signal);
      yield { changes: [], revision: position.after };
    } else position.after = start.after;
    const backoff = new Backoff({ firstMs: 50, longestMs: 1_000 });
    while (!signal.aborted) {
      const from = position.after;
      try {
        yield* follow(connection, position, signal);
      } catch (thrown) {
        const error = storageErrorFromEtcd(thrown);
        const transient = isStorageError(error, 'unavailable') || isStorageError(error, 'deadline');
        if (!transient) throw error;
        if (performance.now() - position.aliveAt > reconnectForMs) {
          throw new StorageError('unavailable', 'the watch of etcd broke and cannot be renewed', {
            cause: error,
          });
        }
        if (position.after > from) backoff.reset();
        await backoff.wait(signal);
      }
    }
  } catch (thrown) {
    if (!signal.aborted) throw storageErrorFromEtcd(thrown);
  }
}

/** Finds the revision at which history starts, which etcd reports only to a watch that starts too early. */
async function windowStart(connection: EtcdConnection, signal: AbortSignal): Promise<Revision> {
  const first = revisionFromEtcd(1);
  try {
    using watch = await WatchStream.open(connection, 0, signal);
    if (await reachesBackTo(connection, first, signal)) return first;
    // etcd confirms the watch before it reports that it starts too early.
    await watch.take(progressIntervalMs, signal);
  } catch (thrown) {
    if (thrown instanceof CompactedWatch) return thrown.oldest;
    throw thrown;
  }
  throw new StorageError('unavailable', 'etcd did not report where its history begins');
}

async function reachesBackTo(
  connection: EtcdConnection,
  revision: Revision,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await assertReachable(connection, revision, signal);
    return true;
  } catch (thrown) {
    if (isStorageError(storageErrorFromEtcd(thrown), 'compacted')) return false;
    throw thrown;
  }
}

/** Silence in ms after which a watch that was just opened yields its first note: its reader learns early that it has caught up. */
const firstNoteMs = 100;

async function* follow(
  connection: EtcdConnection,
  position: Position,
  signal: AbortSignal,
): AsyncIterable<ChangeBatch> {
  using watch = await WatchStream.open(connection, position.after, signal);
  await assertReachable(connection, position.after, signal);
  let intervalMs = firstNoteMs;
  let noteDue = performance.now() + intervalMs;
  let behindSince: number | undefined;
  while (!signal.aborted) {
    position.aliveAt = performance.now();
    const stoppedMs = watch.stoppedMs;
    const taken = await watch.take(noteDue - performance.now(), signal);
    if (taken !== undefined) {
      behindSince = undefined;
      for (const batch of splitIntoBatches(taken)) {
        position.after = batch.revision;
        if (batch.changes.length === 0 && batch.writtenTypes === undefined) continue;
        yield batch;
        noteDue = performance.now() + intervalMs;
      }
      // etcd buffers the events for a slow reader; a new watch requests those that it could not send, and checks that they are complete.
      if (stoppedMs > maxLagMs) return;
    } else if (!signal.aborted) {
      noteDue = performance.now() + intervalMs;
      const { revision, written } = await typeRevisions(connection, signal);
      if (written <= position.after) {
        behindSince = undefined;
        intervalMs = progressIntervalMs;
        position.after = Math.max(position.after, revision);
        yield { changes: [], revision: position.after };
      } else {
        behindSince ??= performance.now();
        if (performance.now() - behindSince > maxLagMs) {
          throw new StorageError('unavailable', `the watch is stuck at revision ${position.after}`);
        }
      }
    }
  }
}

/**
 * Asserts that history reaches back to a revision. The watch is open already: etcd refuses a watch that starts before its history, but
 * accepts one that starts exactly at its beginning, where a deletion may be missing.
 */
async function assertReachable(
  connection: EtcdConnection,
  after: Revision,
  signal: AbortSignal,
): Promise<void> {
  const revision = lastWholeBatch(after);
  if (revision === 0) return;
  const key = connection.layout.bookmark;
  await connection.range({ key, revision, count_only: true }, { signal, deadline: noDeadline });
}

/**
 * Reads the revision of the store, and that of the last write of an object.
 *
 * A reader that has every change up to the second has every change up to the first. etcd's own progress replies would show the same,
 * but some versions send them ahead of events.
 */
async function typeRevisions(
  connection: EtcdConnection,
  signal: AbortSignal,
): Promise<{ readonly revision: Revision; readonly written: Revision }> {
  const { start, end } = connection.layout.below(storageKeyFrom(typeRevisionPrefix));
  const response = await connection.range(
    { key: start, range_end: end, limit: 1, sort_target: 'Mod', sort_order: 'Descend', keys_only: true },
    { signal, deadline: noDeadline },
  );
  return { revision: storeRevision(response), written: revisionFromEtcd(response.kvs[0]?.mod_revision ?? 0) };
}

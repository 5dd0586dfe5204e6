import { type CallContext, millisecondsUntil, noDeadline, type StorageService } from '@binnacle/proto';
import type { Revision, StorageKey } from './keys.ts';
import type { ChangeBatch, ChangesStart, ListQuery, Storage, Transaction } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { storageErrorFrom } from './storage-error-status.ts';
import { checkTransaction } from './transaction-limits.ts';
import {
  changeBatchFromWire,
  listQueryToWire,
  outcomeFromWire,
  pageFromWire,
  recordFromWire,
  transactionToWire,
} from './wire.ts';

/**
 * Creates a `Storage` over a storage service, in this process or another, with the same guarantees.
 *
 * A broken connection, and any other failure that is not a storage error, is `unavailable` for a read and `unknown-outcome` for a
 * transaction. Calls are not retried.
 */
export function remoteStorage(client: StorageService): Storage {
  return {
    async get(key, call) {
      const { record, revision } = await reading(call, () => client.get({ key }, call));
      return { record: record && recordFromWire(record), revision };
    },
    async list(query: ListQuery, call) {
      return pageFromWire(await reading(call, () => client.list(listQueryToWire(query), call)));
    },
    async transact(transaction: Transaction, call) {
      checkTransaction(transaction);
      assertWanted(call);
      try {
        return outcomeFromWire(await client.transact(transactionToWire(transaction), call));
      } catch (thrown) {
        throw storageErrorFrom(thrown, { writes: true, aborted: call.signal.aborted });
      }
    },
    async typeRevision(typePrefix: StorageKey | undefined, call) {
      const request = { typePrefix: typePrefix ?? '' };
      return (await reading(call, () => client.typeRevision(request, call))).revision;
    },
    changes: (start, call) => remoteChanges(client, start, call),
    async compact(revision: Revision, call) {
      await reading(call, () => client.compact({ revision }, call));
    },
    async space(call) {
      const { sizeBytes, quotaBytes, full } = await reading(call, () => client.space({}, call));
      return { sizeBytes, quotaBytes, isFull: full };
    },
  };
}

/** Sends an idempotent call; this includes compaction. */
async function reading<T>(call: CallContext, send: () => Promise<T>): Promise<T> {
  assertWanted(call);
  try {
    return await send();
  } catch (thrown) {
    throw storageErrorFrom(thrown, { writes: false, aborted: call.signal.aborted });
  }
}

async function* remoteChanges(
  client: StorageService,
  start: ChangesStart,
  call: CallContext,
): AsyncIterable<ChangeBatch> {
  const afterRevision = 'after' in start ? start.after : 0;
  const controlTypesOnly = 'after' in start && start.only === 'control' ? true : undefined;
  const request = { afterRevision, fromWindowStart: 'from' in start, controlTypesOnly };
  try {
    for await (const batch of client.changes(request, { signal: call.signal, deadline: noDeadline })) {
      if (call.signal.aborted) return;
      yield changeBatchFromWire(batch);
    }
  } catch (thrown) {
    if (call.signal.aborted) return;
    throw storageErrorFrom(thrown, { writes: false, aborted: false });
  }
  if (!call.signal.aborted) throw new StorageError('unavailable', 'the stream of changes ended');
}

function assertWanted(call: CallContext): void {
  if (call.signal.aborted) throw new StorageError('cancelled', 'the call was ended before it was sent');
  if (millisecondsUntil(call.deadline) <= 0)
    throw new StorageError('deadline', 'the deadline passed before the call was sent');
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '@binnacle/proto';
import {
  isStorageError,
  type Revision,
  type StorageKey,
  type Transaction,
  type TransactionOutcome,
  typeRevisionKey,
} from '@binnacle/storage-contract';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { get } from './get.ts';

/** A transaction whose reply did not come. */
export interface LostTransaction {
  readonly transaction: Transaction;
  /** The value that it gives to the revision keys of its types. */
  readonly id: string;
  /** One of the types that it writes. */
  readonly type: StorageKey | undefined;
  /** A revision that the store had reached before the transaction was sent; 0 when none is known. */
  readonly seenBefore: Revision;
}

/** Writes of the type since the transaction was sent that are looked through. */
const maxSteps = 200;

/**
 * What became of a transaction, as far as it can be said before the call's deadline; undefined when it cannot.
 *
 * It committed if its id is in the history of the type's revision key. If it is not, and one of its preconditions no
 * longer holds, then it never will. If they all hold, the request may still be on its way.
 */
export async function resolveLostReply(
  connection: EtcdConnection,
  lost: LostTransaction,
  call: CallContext,
): Promise<TransactionOutcome | undefined> {
  if (lost.type === undefined) return undefined;
  for (
    let wait = 50;
    Date.now() + wait < call.deadline && !call.signal.aborted;
    wait = Math.min(wait * 2, 1000)
  ) {
    try {
      return await outcomeOf(connection, lost, call);
    } catch (thrown) {
      if (!isStorageError(storageErrorFromEtcd(thrown), 'unavailable')) return undefined;
    }
    await sleep(wait);
  }
  return undefined;
}

async function outcomeOf(
  connection: EtcdConnection,
  lost: LostTransaction,
  call: CallContext,
): Promise<TransactionOutcome | undefined> {
  // Read before the history is searched: a precondition that fails now fails for good, for revisions only grow.
  const failure = await firstFailure(connection, lost.transaction, call);
  const search = await findInHistory(connection, lost, call);
  if (typeof search === 'number') return { committed: true, revision: search };
  return search === 'not-there' ? failure : undefined;
}

async function firstFailure(
  connection: EtcdConnection,
  { preconditions }: Transaction,
  call: CallContext,
): Promise<TransactionOutcome | undefined> {
  for (const [failedPrecondition, precondition] of preconditions.entries()) {
    const { record, revision } = await get(connection, precondition.key, call);
    if ((record?.revision ?? 0) !== precondition.revision) {
      return { committed: false, revision, failedPrecondition, current: record };
    }
  }
  return undefined;
}

/** Walks back through the writes of the type, newest first. */
async function findInHistory(
  connection: EtcdConnection,
  { id, type, seenBefore }: LostTransaction,
  call: CallContext,
): Promise<Revision | 'not-there' | 'unknown'> {
  if (type === undefined) return 'unknown';
  const key = connection.layout.bytesOf(typeRevisionKey(type));
  let revision = 0;
  for (let step = 0; step < maxSteps; step++) {
    const kv = (await connection.range({ key, revision }, call)).kvs[0];
    const written = Number(kv?.mod_revision ?? 0);
    if (kv !== undefined && kv.value.toString() === id) return written;
    if (written <= Math.max(seenBefore, 1)) return 'not-there';
    revision = written - 1;
  }
  return 'unknown';
}

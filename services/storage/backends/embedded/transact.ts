import type { CallContext } from '@binnacle/proto';
import {
  checkTransaction,
  isStorageError,
  type Revision,
  StorageError,
  type StorageKey,
  type Transaction,
  type TransactionOutcome,
  typeRevisionKey,
} from '@binnacle/storage-contract';
import { assertWanted, withinCall } from '../call-limits.ts';
import { recordOf } from './get.ts';
import { encodeLogRow, historyKey, type LoggedWrite, revisionKey } from './rows.ts';
import type { EmbeddedStore } from './store.ts';

/** Commits together with whatever else waits: LMDB writes all transactions of a moment in one commit. */
export async function transact(
  store: EmbeddedStore,
  transaction: Transaction,
  call: CallContext,
): Promise<TransactionOutcome> {
  const types = checkTransaction(transaction);
  assertWanted(call);
  let begun = false;
  let givenUp: StorageError | undefined;
  const committing = store.write(() => {
    // Nothing is written yet: a caller that gave up while the transaction waited is told that it did not happen.
    if (givenUp !== undefined) return undefined;
    begun = true;
    return firstFailure(store, transaction) ?? apply(store, transaction, types);
  });
  const giveUp = (reason: StorageError): StorageError => {
    givenUp = reason;
    return begun ? unknownOutcome(reason) : reason;
  };
  try {
    const outcome = await withinCall(committing, call, giveUp);
    if (outcome === undefined) throw givenUp;
    return outcome;
  } catch (thrown) {
    throw isStorageError(thrown) ? thrown : unknownOutcome(thrown);
  }
}

function unknownOutcome(cause: unknown): StorageError {
  return new StorageError('unknown-outcome', 'the transaction may or may not have committed', { cause });
}

function firstFailure(store: EmbeddedStore, { preconditions }: Transaction): TransactionOutcome | undefined {
  for (const [failedPrecondition, { key, revision }] of preconditions.entries()) {
    const current = recordOf(store, key);
    if ((current?.revision ?? 0) !== revision) {
      return { committed: false, revision: store.bounds().revision, failedPrecondition, current };
    }
  }
  return undefined;
}

function apply(
  store: EmbeddedStore,
  transaction: Transaction,
  types: readonly StorageKey[],
): TransactionOutcome {
  const last = store.bounds().revision;
  const revision = last + 1;
  const writes: LoggedWrite[] = [];
  for (const { key, value } of transaction.puts) writes.push(put(store, { key, value, revision }));
  for (const key of transaction.deletes) {
    const write = remove(store, key, revision);
    if (write !== undefined) writes.push(write);
  }
  const empty = new Uint8Array(0);
  for (const type of types) writes.push(put(store, { key: typeRevisionKey(type), value: empty, revision }));
  if (writes.length === 0) return { committed: true, revision: last };
  store.log.put(revisionKey(revision), encodeLogRow({ committedAt: store.clock(), writes }));
  store.setRevision(revision);
  return { committed: true, revision };
}

interface Put {
  readonly key: StorageKey;
  readonly value: Uint8Array;
  readonly revision: Revision;
}

function put(store: EmbeddedStore, { key, value, revision }: Put): LoggedWrite {
  const bytes = store.layout.bytesOf(key);
  const previousRevision = supersede(store, bytes, revision);
  store.current.put(bytes, Buffer.from(value.buffer, value.byteOffset, value.byteLength), revision);
  return { key: bytes, deleted: false, previousRevision };
}

function remove(store: EmbeddedStore, key: StorageKey, revision: Revision): LoggedWrite | undefined {
  const bytes = store.layout.bytesOf(key);
  const previousRevision = supersede(store, bytes, revision);
  if (previousRevision === 0) return undefined;
  store.current.remove(bytes);
  return { key: bytes, deleted: true, previousRevision };
}

/** Moves what a key holds to the history, and gives its revision; 0 when the key is absent. */
function supersede(store: EmbeddedStore, bytes: Buffer, revision: Revision): Revision {
  const entry = store.current.getEntry(bytes);
  if (entry === undefined) return 0;
  const previousRevision = entry.version ?? 0;
  store.history.put(historyKey(bytes, previousRevision), entry.value, revision);
  return previousRevision;
}

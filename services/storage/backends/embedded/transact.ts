import type { CallContext } from '@binnacle/proto';
import {
  type Change,
  checkTransaction,
  isReservedKey,
  isStorageError,
  ownBytes,
  type Revision,
  StorageError,
  type StorageKey,
  type Transaction,
  type TransactionOutcome,
} from '@binnacle/storage-contract';
import { assertWanted, withinCall } from '../call-limits.ts';
import { readRecord, readRevision } from './get.ts';
import { changeType, encodeLogRow, historyKey, type LoggedWrite, revisionKey } from './rows.ts';
import type { EmbeddedStore } from './store.ts';

/** Commits a transaction: LMDB writes all waiting transactions in one commit. */
export async function transact(
  store: EmbeddedStore,
  transaction: Transaction,
  call: CallContext,
): Promise<TransactionOutcome> {
  const types = checkTransaction(transaction);
  assertWanted(call);
  const traceparent = call.trace?.isSampled === true ? call.trace.traceparent : undefined;
  let begun = false;
  let givenUp: StorageError | undefined;
  const committing = store.write(() => {
    // Nothing is written yet, so a caller that gave up meanwhile gets the error of a transaction that did not happen.
    if (givenUp !== undefined) return undefined;
    begun = true;
    return firstFailure(store, transaction) ?? apply(store, transaction, { types, traceparent });
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
    if (readRevision(store, key) === revision) continue;
    const current = readRecord(store, key);
    return { committed: false, revision: store.lastRevision(), failedPrecondition, current };
  }
  return undefined;
}

function apply(
  store: EmbeddedStore,
  transaction: Transaction,
  { types, traceparent }: { readonly types: readonly StorageKey[]; readonly traceparent: string | undefined },
): TransactionOutcome {
  const last = store.lastRevision();
  const revision = last + 1;
  const committedAt = store.clock();
  // Lists of the wanted length: one that grows by its first item has room for 17, and recent changes are kept.
  const writes = transaction.puts.map(({ key, value }) => put(store, { key, value, revision }));
  for (const key of transaction.deletes) {
    const write = remove(store, key, revision);
    if (write !== undefined) writes.push(write);
  }
  if (types.length === 0 && writes.length === 0) return { committed: true, revision: last };
  // No reader needs earlier values of these: they have no history.
  for (const type of types) store.current.put(store.layout.typeRevisionBytes(type), noValue, revision);
  store.log.put(
    revisionKey(revision),
    encodeLogRow({ committedAt, writes: writes.map(({ logged }) => logged) }),
  );
  store.setRevision(revision);
  const shown = writes.some(({ key }) => isReservedKey(key))
    ? writes.filter(({ key }) => !isReservedKey(key))
    : writes;
  const changes = shown.map(({ key, logged, value, previousValue }): Change => {
    const change = {
      type: changeType(logged),
      revision,
      committedAt,
      key,
      value: value === undefined ? none : ownBytes(value),
      previousValue: previousValue === undefined ? none : ownBytes(previousValue),
    };
    return traceparent === undefined ? change : { ...change, traceparent };
  });
  store.recent.add(revision, changes);
  return { committed: true, revision };
}

const none = new Uint8Array(0);
const noValue = Buffer.alloc(0);

interface Put {
  readonly key: StorageKey;
  readonly value: Uint8Array;
  readonly revision: Revision;
}

/** The effect of a write on one key. */
interface Write {
  readonly key: StorageKey;
  readonly logged: LoggedWrite;
  readonly value?: Uint8Array;
  readonly previousValue: Uint8Array | undefined;
}

function put(store: EmbeddedStore, { key, value, revision }: Put): Write {
  const bytes = store.layout.toBytes(key);
  const previous = supersede(store, bytes, revision);
  store.current.put(bytes, Buffer.from(value.buffer, value.byteOffset, value.byteLength), revision);
  const logged = { key: bytes, deleted: false, previousRevision: previous?.version ?? 0 };
  return { key, logged, value, previousValue: previous?.value };
}

function remove(store: EmbeddedStore, key: StorageKey, revision: Revision): Write | undefined {
  const bytes = store.layout.toBytes(key);
  const previous = supersede(store, bytes, revision);
  if (previous === undefined) return undefined;
  store.current.remove(bytes);
  const logged = { key: bytes, deleted: true, previousRevision: previous.version };
  return { key, logged, previousValue: previous.value };
}

/** Moves the record of a key to the history, and returns it; undefined when the key is absent. */
function supersede(
  store: EmbeddedStore,
  bytes: Buffer,
  revision: Revision,
): { readonly value: Buffer; readonly version: Revision } | undefined {
  const entry = store.current.getEntry(bytes);
  if (entry === undefined) return undefined;
  const { value, version = 0 } = entry;
  store.history.put(historyKey(bytes, version), value, revision);
  return { value, version };
}

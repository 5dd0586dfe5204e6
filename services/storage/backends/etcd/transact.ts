import { randomUUID } from 'node:crypto';
import type { CallContext } from '@binnacle/proto';
import {
  checkTransaction,
  isReservedKey,
  StorageError,
  type StorageKey,
  type Transaction,
  type TransactionOutcome,
  typeRevisionKey,
} from '@binnacle/storage-contract';
import type { ITxnRequest, ITxnResponse } from 'etcd3';
import { assertWanted } from '../call-limits.ts';
import type { EtcdConnection } from './connection.ts';
import { isRefusal, storageErrorFromEtcd } from './etcd-errors.ts';
import { recordFromEtcd, storeRevision } from './records.ts';
import { resolveLostReply } from './resolve-lost-reply.ts';

/**
 * One etcd transaction, sent once.
 *
 * It also puts the revision keys of the types that it writes, with an id of the transaction as their value: when the
 * reply is lost, the history of such a key tells whether the transaction is in it.
 */
export async function transact(
  connection: EtcdConnection,
  transaction: Transaction,
  call: CallContext,
): Promise<TransactionOutcome> {
  const types = checkTransaction(transaction);
  assertWanted(call);
  const id = randomUUID();
  const seenBefore = connection.seenRevision;
  const request = requestFrom(connection, transaction, { id, types });
  try {
    return outcomeFrom(connection, transaction, await connection.txn(request, call));
  } catch (thrown) {
    if (isRefusalByEtcd(thrown)) throw storageErrorFromEtcd(thrown);
    if (call.signal.aborted) throw unknownOutcome(thrown);
    const outcome = await resolveLostReply(connection, { transaction, id, type: types[0], seenBefore }, call);
    if (outcome === undefined) throw unknownOutcome(thrown);
    return outcome;
  }
}

/** The limits of the call may end the wait for a transaction that is under way: they refuse nothing. */
function isRefusalByEtcd(thrown: unknown): boolean {
  return !(thrown instanceof StorageError) && isRefusal(thrown);
}

function unknownOutcome(cause: unknown): StorageError {
  return new StorageError('unknown-outcome', 'the transaction may or may not have committed', { cause });
}

function requestFrom(
  { layout }: EtcdConnection,
  transaction: Transaction,
  { id, types }: { readonly id: string; readonly types: readonly StorageKey[] },
): ITxnRequest {
  const { preconditions, puts, deletes } = transaction;
  const put = (key: Buffer, value: Uint8Array | string) => ({
    request_put: { key, value: Buffer.from(value as Uint8Array) },
  }); // Both are taken.
  return {
    compare: preconditions.map(({ key, revision }) => ({
      result: 'Equal',
      target: 'Mod',
      key: layout.bytesOf(key),
      mod_revision: String(revision),
    })),
    success: [
      ...puts.map(({ key, value }) => put(layout.bytesOf(key), value)),
      ...deletes.map(key => ({ request_delete_range: { key: layout.bytesOf(key) } })),
      ...types.map(type => put(layout.bytesOf(typeRevisionKey(type)), id)),
      ...(mayWriteNoObject(transaction) ? [put(layout.bookmark, '')] : []),
    ],
    failure: preconditions.map(({ key }) => ({ request_range: { key: layout.bytesOf(key) } })),
  };
}

/**
 * Whether a transaction moves type revisions, and yet perhaps no object: its deletions may find nothing. The bookmark
 * then makes its revision visible to watches, whose progress is measured against the type revisions.
 */
function mayWriteNoObject({ preconditions, puts, deletes }: Transaction): boolean {
  if (puts.some(({ key }) => !isReservedKey(key))) return false;
  const objects = deletes.filter(key => !isReservedKey(key));
  const exists = (key: StorageKey): boolean =>
    preconditions.some(each => each.key === key && each.revision > 0);
  return objects.length > 0 && !objects.some(exists);
}

function outcomeFrom(
  { layout }: EtcdConnection,
  { preconditions }: Transaction,
  response: ITxnResponse,
): TransactionOutcome {
  const revision = storeRevision(response);
  if (response.succeeded) return { committed: true, revision };
  for (const [failedPrecondition, precondition] of preconditions.entries()) {
    const kv = response.responses[failedPrecondition]?.response_range.kvs[0];
    if (Number(kv?.mod_revision ?? 0) !== precondition.revision) {
      return { committed: false, revision, failedPrecondition, current: kv && recordFromEtcd(layout, kv) };
    }
  }
  throw new StorageError('unavailable', 'etcd refused a transaction all of whose preconditions hold');
}

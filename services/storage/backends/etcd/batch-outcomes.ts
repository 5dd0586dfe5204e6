import { StorageError, type Transaction, type TransactionOutcome } from '@binnacle/storage-contract';
import type { ITxnResponse } from 'etcd3';
import type { KeyLayout } from '../key-layout.ts';
import type { Batch } from './batch.ts';
import { type BatchIdentity, positionOfMember, responsesBeforeMembers } from './batch-request.ts';
import { etcdRevisionFrom, lastPosition, revisionAt } from './revisions.ts';
import { recordFromEtcd, storeRevision } from './stored-values.ts';

/**
 * Reads the outcome of each member of a batch, in order, from etcd's reply; undefined where the guard refused the batch, which then
 * changed nothing.
 */
export function batchOutcomes(
  layout: KeyLayout,
  batch: Batch,
  { guard, guardRevision }: BatchIdentity,
  response: ITxnResponse,
): readonly TransactionOutcome[] | undefined {
  const { members } = batch;
  const found = response.succeeded ? undefined : response.responses.at(-1)?.response_range.kvs[0];
  if (!response.succeeded && guard.hasRefused(guardRevision, found)) return undefined;
  const etcdRevision = Number(response.header.revision);
  const skipped = responsesBeforeMembers(batch);
  return members.map(({ transaction }, index) => {
    const isAlone = members.length === 1;
    const own = isAlone ? response : response.responses[skipped + index]?.response_txn;
    if (own === undefined)
      throw new StorageError('unknown-outcome', 'etcd left out the outcome of a transaction');
    const position = isAlone ? lastPosition : positionOfMember(index, members.length);
    if (own.succeeded) return { committed: true, revision: revisionAt(etcdRevision, position) };
    return refusal(layout, transaction, own, storeRevision(response));
  });
}

function refusal(
  layout: KeyLayout,
  { preconditions }: Transaction,
  { responses }: Pick<ITxnResponse, 'responses'>,
  revision: number,
): TransactionOutcome {
  for (const [failedPrecondition, precondition] of preconditions.entries()) {
    const kv = responses[failedPrecondition]?.response_range.kvs[0];
    if (Number(kv?.mod_revision ?? 0) !== etcdRevisionFrom(precondition.revision)) {
      return { committed: false, revision, failedPrecondition, current: kv && recordFromEtcd(layout, kv) };
    }
  }
  throw new StorageError('unavailable', 'etcd refused a transaction all of whose preconditions hold');
}

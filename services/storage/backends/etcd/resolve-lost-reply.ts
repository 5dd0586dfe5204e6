import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '@binnacle/event-loop';
import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { isStorageError, type Transaction, type TransactionOutcome } from '@binnacle/storage-contract';
import type { Batch } from './batch.ts';
import { type BatchIdentity, positionOfMember } from './batch-request.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import {
  type EtcdRevision,
  etcdRevisionFrom,
  positionInBatch,
  revisionAt,
  revisionFromEtcd,
} from './revisions.ts';
import { recordFromEtcd, revisionFromKeyValue } from './stored-values.ts';

/** A batch that lost its reply. */
export interface LostBatch extends BatchIdentity {
  readonly batch: Batch;
  /** A revision that etcd had reached before the batch was sent; 0 when none is known. */
  readonly seenBefore: EtcdRevision;
  /** Whether etcd has finished the batch: one that is not in its history by then never will be. */
  readonly isOver: boolean;
}

/** The most writes of the type since the batch was sent that are searched. */
const maxSteps = 200;

/**
 * Finds the outcome of each member of a batch, undefined where it cannot be found before the call's deadline; `not-done` when the batch
 * has not committed and never will, however late it arrives.
 *
 * First it moves the guard, unless the batch can no longer arrive. The batch committed if its id is in the history of the type's
 * revision key; etcd's state at that revision shows which members were refused. If the id is not there, the guard refuses the batch.
 */
export async function resolveLostReply(
  connection: EtcdConnection,
  lost: LostBatch,
  call: CallContext,
): Promise<'not-done' | readonly (TransactionOutcome | undefined)[]> {
  let isGuarded = lost.isOver;
  const backoff = new Backoff({ firstMs: 50, longestMs: 1_000 });
  for (let wait = backoff.next(); wait < millisecondsUntil(call.deadline); wait = backoff.next()) {
    try {
      if (!isGuarded) await lost.guard.move(call);
      isGuarded = true;
      return await readOutcomes(connection, lost, call);
    } catch (thrown) {
      if (!isStorageError(storageErrorFromEtcd(thrown), 'unavailable')) return [];
    }
    await sleep(wait);
  }
  return [];
}

async function readOutcomes(
  connection: EtcdConnection,
  lost: LostBatch,
  call: CallContext,
): Promise<'not-done' | readonly (TransactionOutcome | undefined)[]> {
  const { members } = lost.batch;
  const found = await findInHistory(connection, lost, call);
  if (found === 'unknown') return [];
  if (found === 'not-there') return 'not-done';
  const outcomes: (TransactionOutcome | undefined)[] = [];
  for (const [index, { transaction }] of members.entries()) {
    const revision = revisionAt(found, positionOfMember(index, members.length));
    const committed = { committed: true, revision } as const;
    // A batch of one is in the history only when it committed.
    const isCommitted = members.length === 1 || (await hasWritten(connection, transaction, revision, call));
    const failure = isCommitted ? undefined : await firstFailure(connection, transaction, call, found);
    outcomes.push(failure ?? (isCommitted || writesNothing(transaction) ? committed : undefined));
  }
  return outcomes;
}

/** Finds the first precondition that did not hold at a revision of etcd. */
async function firstFailure(
  connection: EtcdConnection,
  { preconditions }: Transaction,
  call: CallContext,
  at: EtcdRevision,
): Promise<TransactionOutcome | undefined> {
  for (const [failedPrecondition, precondition] of preconditions.entries()) {
    const key = connection.layout.toBytes(precondition.key);
    const kv = (await connection.range({ key, revision: at }, call)).kvs[0];
    if (Number(kv?.mod_revision ?? 0) === etcdRevisionFrom(precondition.revision)) continue;
    const current = kv && recordFromEtcd(connection.layout, kv);
    return { committed: false, revision: revisionFromEtcd(at), failedPrecondition, current };
  }
  return undefined;
}

/** Whether a member of a committed batch wrote: its first put, or the mark before its deletions, is in the history. */
async function hasWritten(
  { layout, range }: EtcdConnection,
  { puts, deletes }: Transaction,
  revision: number,
  call: CallContext,
): Promise<boolean> {
  const at = etcdRevisionFrom(revision);
  const [firstPut] = puts;
  if (firstPut === undefined && deletes.length === 0) return false;
  const key =
    firstPut === undefined ? layout.deletionMark(positionInBatch(revision)) : layout.toBytes(firstPut.key);
  const kv = (await range({ key, revision: at }, call)).kvs[0];
  if (kv === undefined) return false;
  return firstPut === undefined ? Number(kv.mod_revision) === at : revisionFromKeyValue(kv) === revision;
}

/** Whether a transaction only checks its preconditions. */
function writesNothing({ puts, deletes }: Transaction): boolean {
  return puts.length === 0 && deletes.length === 0;
}

/** Walks back through the writes of one of the types, newest first. */
async function findInHistory(
  connection: EtcdConnection,
  { batch, id, seenBefore }: LostBatch,
  call: CallContext,
): Promise<EtcdRevision | 'not-there' | 'unknown'> {
  const [type] = batch.types;
  if (type === undefined) return 'unknown';
  const key = connection.layout.typeRevisionBytes(type);
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

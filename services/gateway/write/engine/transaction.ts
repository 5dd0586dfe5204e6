import type { CallContext } from '@binnacle/proto';
import {
  type Precondition,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
  type Transaction,
  type TransactionOutcome,
} from '@binnacle/storage-contract';
import type { ApiResult } from '../../request/api-request.ts';

/** The meaning of a precondition, which decides how the write goes on when it fails. */
type Meaning =
  /** The object of the write is at the revision that the write was computed from. */
  | { readonly kind: 'object' }
  /** A key is at the revision that admission read, for its review or for a joint write. */
  | { readonly kind: 'admission' }
  /** An object that the verb changes in the same transaction is at the revision that the verb read. */
  | { readonly kind: 'joint-write' }
  /** No other object holds this reservation. */
  | { readonly kind: 'reservation'; readonly reservation: string };

/** A precondition with its meaning. */
interface MeantPrecondition extends Precondition {
  readonly meaning: Meaning;
}

/** The next state of one object. */
export interface ObjectWrite {
  readonly key: StorageKey;
  /** The revision that the object is at; 0 when it does not exist. */
  readonly from: Revision;
  /** The bytes to store; undefined removes the object. */
  readonly put: Uint8Array | undefined;
}

/** The storage keys of an object's reservations before a write, and after it. */
interface ReservationChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The changes of one write, apart from those that admission adds. */
export interface WriteToCommit {
  readonly object: ObjectWrite;
  readonly reservations: ReservationChange;
  /** Other objects that the verb changes in the same transaction. */
  readonly jointWrites: readonly ObjectWrite[];
}

/** A reviewed write, and the answer of its request. */
export interface Change {
  /** Undefined: there is nothing to change. */
  readonly write: WriteToCommit | undefined;
  /** Whether it is a dry run after the review; default: as in the request. */
  readonly dryRun?: boolean;
  /** `revision` is that of the transaction; 0 in a dry run, and where there was nothing to write. */
  answer(revision: number): ApiResult;
}

/** The part of a transaction that admission adds. */
interface AdmissionTerms {
  /** Keys that must still be at the revisions that admission read. */
  readonly preconditions: readonly Precondition[];
  /** Other objects, such as quotas with their new usage, that change in the same transaction. */
  readonly jointWrites: readonly ObjectWrite[];
}

/** The outcome of a commit. One that failed wrote nothing. */
export type CommitOutcome =
  /** `revision` is 0 in a dry run. */
  | { readonly kind: 'committed'; readonly revision: Revision }
  /** The first precondition that failed, with its meaning, its key and the current record of the key. */
  | {
      readonly kind: 'failed';
      readonly meaning: Meaning;
      readonly key: StorageKey;
      readonly current: StorageRecord | undefined;
    };

interface CommitContext {
  readonly call: CallContext;
  readonly dryRun: boolean;
}

const object: Meaning = { kind: 'object' };
const admission: Meaning = { kind: 'admission' };
const jointWrite: Meaning = { kind: 'joint-write' };

/**
 * Commits a write in one transaction: every object by compare-and-swap, what admission relied on, and the difference of
 * the reservations. The value of a reservation is the key of the object that holds it. A dry run reads the preconditions instead.
 */
export function commitWrite(
  write: WriteToCommit,
  terms: AdmissionTerms,
  { storage, call, dryRun }: CommitContext & { readonly storage: Pick<Storage, 'get' | 'transact'> },
): Promise<CommitOutcome> {
  const transaction = createTransaction(write, terms);
  const { preconditions } = transaction;
  return dryRun
    ? checkByReading(preconditions, storage, call).then(outcome => commitOutcome(preconditions, outcome))
    : storage.transact(transaction, call).then(outcome => commitOutcome(preconditions, outcome));
}

function commitOutcome(
  preconditions: readonly MeantPrecondition[],
  outcome: TransactionOutcome,
): CommitOutcome {
  if (outcome.committed) return { kind: 'committed', revision: outcome.revision };
  const failed = preconditions[outcome.failedPrecondition];
  if (failed === undefined) throw new Error('a precondition failed that the write does not have');
  return { kind: 'failed', meaning: failed.meaning, key: failed.key, current: outcome.current };
}

/** The transaction of a write. The object's own precondition is the first: it fails before those that depend on it. */
export function createTransaction(
  { object: own, reservations, jointWrites }: WriteToCommit,
  terms: AdmissionTerms,
): Transaction & { readonly preconditions: readonly MeantPrecondition[] } {
  // Most writes put one object and have a precondition or two: arrays that grow have room for many more.
  const preconditions = [meant(own, object)].concat(terms.preconditions.map(relied));
  const puts = own.put === undefined ? [] : [{ key: own.key, value: own.put }];
  const deletes = own.put === undefined ? [own.key] : [];
  for (const write of terms.jointWrites) preconditions.push(meant(write, admission));
  for (const writes of [terms.jointWrites, jointWrites])
    for (const { key, put } of writes) {
      if (put === undefined) deletes.push(key);
      else puts.push({ key, value: put });
    }
  const reserved = difference(reservations.after, reservations.before);
  if (reserved.length > 0) {
    const holder = Buffer.from(own.key);
    for (const reservation of reserved) {
      const key = storageKeyFrom(reservation);
      preconditions.push({ key, revision: 0, meaning: { kind: 'reservation', reservation } });
      puts.push({ key, value: holder });
    }
  }
  for (const write of jointWrites) preconditions.push(meant(write, jointWrite));
  for (const reservation of difference(reservations.before, reservations.after))
    deletes.push(storageKeyFrom(reservation));
  return { preconditions, puts, deletes };
}

function relied({ key, revision }: Precondition): MeantPrecondition {
  return { key, revision, meaning: admission };
}

function meant({ key, from }: ObjectWrite, meaning: Meaning): MeantPrecondition {
  return { key, revision: from, meaning };
}

/** The items of the first list only, each once. */
function difference(list: readonly string[], other: readonly string[]): readonly string[] {
  if (list.length === 0) return list;
  const left = new Set(list);
  for (const item of other) left.delete(item);
  return [...left];
}

async function checkByReading(
  preconditions: readonly Precondition[],
  storage: Pick<Storage, 'get'>,
  call: CallContext,
): Promise<TransactionOutcome> {
  for (const [failedPrecondition, { key, revision }] of preconditions.entries()) {
    const { record, revision: seen } = await storage.get(key, call);
    if ((record?.revision ?? 0) !== revision)
      return { committed: false, revision: seen, failedPrecondition, current: record };
  }
  return { committed: true, revision: 0 };
}

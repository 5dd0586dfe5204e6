import { type StorageKey, storageKeyFrom, type Transaction } from '@binnacle/storage-contract';
import type { IRequestOp, ITxnRequest } from 'etcd3';
import type { KeyLayout } from '../key-layout.ts';
import { type Batch, type BatchMember, mayWriteNoObject } from './batch.ts';
import type { BatchGuard } from './batch-guard.ts';
import { type EtcdRevision, etcdRevisionFrom, lastPosition, positions } from './revisions.ts';
import { storedValue } from './stored-values.ts';

/** Returns the position of a member of a batch; the last member has `lastPosition`. */
export function positionOfMember(index: number, members: number): number {
  return positions - members + index;
}

/** The identity of a batch, and the guard against its late commit. */
export interface BatchIdentity {
  /** The value that the batch gives to the revision keys of its types. */
  readonly id: string;
  readonly guard: BatchGuard;
  /** The revision at which it expects the guard. */
  readonly guardRevision: EtcdRevision;
  /** The value of the trace mark; undefined: no member is traced. */
  readonly traces?: Buffer | undefined;
}

/**
 * Creates the transaction of etcd that commits a batch: a single member directly, several as nested transactions, each with its own
 * preconditions and outcome.
 *
 * The batch commits only where the guard is at the expected revision; a refused batch reads the guard as its last operation.
 *
 * It also puts the revision keys of the written types, with the id of the batch as their value: when the reply is lost, the history
 * of such a key shows whether the batch committed. The type revisions move even where all members are refused: the bookmark, which
 * watches see, then names the types.
 */
export function batchRequest(
  layout: KeyLayout,
  { members, types }: Batch,
  { id, guard, guardRevision, traces }: BatchIdentity,
): ITxnRequest {
  const [first] = members;
  const guarded = guard.comparison(guardRevision);
  const revisionKeys = [...types].map(type => put(layout.typeRevisionBytes(type), Buffer.from(id)));
  const traceMark = traces === undefined ? [] : [put(layout.traceMark, traces)];
  if (first !== undefined && members.length === 1) {
    const request = memberRequest(layout, first.transaction, lastPosition);
    const bookmark = mayWriteNoObject(first.transaction) ? [createBookmark(layout, types)] : [];
    return {
      compare: [...request.compare, guarded],
      success: [...request.success, ...revisionKeys, ...bookmark, ...traceMark],
      failure: [...request.failure, guard.look],
    };
  }
  const nested = members.map((member, index) =>
    nestedRequest(layout, member, positionOfMember(index, members.length)),
  );
  return {
    compare: [guarded],
    success: [createBookmark(layout, types), ...revisionKeys, ...nested, ...traceMark],
    failure: [guard.look],
  };
}

/** Counts the responses that precede those of the nested transactions. */
export function responsesBeforeMembers({ types }: Batch): number {
  return 1 + types.size;
}

/** Parses the keys that a deletion mark names. */
export function keysInMark(value: Uint8Array): readonly StorageKey[] {
  return Buffer.from(value).toString().split(keySeparator).map(storageKeyFrom);
}

/** A character that no key has. */
const keySeparator = '\0';

/** Parses the types that a bookmark names. */
export function typesInBookmark(value: Uint8Array): readonly string[] {
  return value.length === 0 ? [] : Buffer.from(value).toString().split(keySeparator);
}

function createBookmark(layout: KeyLayout, types: ReadonlySet<StorageKey>): IRequestOp {
  return put(layout.bookmark, Buffer.from([...types].join(keySeparator)));
}

function nestedRequest(layout: KeyLayout, { transaction }: BatchMember, position: number): IRequestOp {
  const request = memberRequest(layout, transaction, position);
  if (transaction.deletes.length === 0) return { request_txn: request };
  // A deletion leaves no value that could hold the position: the mark before it holds it, also in the history of the mark.
  const deleted = Buffer.from(transaction.deletes.join(keySeparator));
  return {
    request_txn: { ...request, success: [put(layout.deletionMark(position), deleted), ...request.success] },
  };
}

function memberRequest(
  layout: KeyLayout,
  { preconditions, puts, deletes }: Transaction,
  position: number,
): Required<ITxnRequest> {
  return {
    compare: preconditions.map(({ key, revision }) => ({
      result: 'Equal',
      target: 'Mod',
      key: layout.toBytes(key),
      mod_revision: String(etcdRevisionFrom(revision)),
    })),
    success: [
      ...deletes.map(key => ({ request_delete_range: { key: layout.toBytes(key) } })),
      ...puts.map(({ key, value }) => put(layout.toBytes(key), storedValue(value, position))),
    ],
    failure: preconditions.map(({ key }) => ({ request_range: { key: layout.toBytes(key) } })),
  };
}

function put(key: Buffer, value: Buffer): IRequestOp {
  return { request_put: { key, value } };
}

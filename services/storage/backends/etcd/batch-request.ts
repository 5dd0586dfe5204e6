import {
  type StorageKey,
  storageKeyFrom,
  type Transaction,
  typeRevisionKey,
} from '@binnacle/storage-contract';
import type { IRequestOp, ITxnRequest } from 'etcd3';
import type { KeyLayout } from '../key-layout.ts';
import { type Batch, type BatchMember, mayWriteNoObject } from './batch.ts';
import type { BatchGuard } from './batch-guard.ts';
import { type EtcdRevision, etcdRevisionFrom, lastPosition, positions } from './revisions.ts';
import { storedValue } from './stored-values.ts';

/** The position of a member; the last one has the last position there is. */
export function positionOfMember(index: number, members: number): number {
  return positions - members + index;
}

/** How a batch is told from others, and kept from committing late. */
export interface BatchIdentity {
  /** The value that it gives to the revision keys of its types. */
  readonly id: string;
  readonly guard: BatchGuard;
  /** Where it expects the guard. */
  readonly guardRevision: EtcdRevision;
}

/**
 * The transaction of etcd that commits a batch: one member as itself, several as nested transactions, each with its
 * own preconditions and outcome.
 *
 * All of it commits only where the guard is as expected: a batch that is refused reads the guard last.
 *
 * It also puts the revision keys of the types that are written, with an id as their value: when the reply is lost,
 * the history of such a key tells whether the batch is in it. Several members may all be refused, and the types still
 * move: the bookmark, which watches see, then names them.
 */
export function batchRequest(
  layout: KeyLayout,
  { members, types }: Batch,
  { id, guard, guardRevision }: BatchIdentity,
): ITxnRequest {
  const [first] = members;
  const guarded = guard.comparison(guardRevision);
  const revisionKeys = [...types].map(type => put(layout.toBytes(typeRevisionKey(type)), Buffer.from(id)));
  if (first !== undefined && members.length === 1) {
    const request = memberRequest(layout, first.transaction, lastPosition);
    const bookmark = mayWriteNoObject(first.transaction) ? [createBookmark(layout, types)] : [];
    return {
      compare: [...request.compare, guarded],
      success: [...request.success, ...revisionKeys, ...bookmark],
      failure: [...request.failure, guard.look],
    };
  }
  const nested = members.map((member, index) =>
    nestedRequest(layout, member, positionOfMember(index, members.length)),
  );
  return {
    compare: [guarded],
    success: [createBookmark(layout, types), ...revisionKeys, ...nested],
    failure: [guard.look],
  };
}

/** How many responses precede those of the nested transactions. */
export function responsesBeforeMembers({ types }: Batch): number {
  return 1 + types.size;
}

/** The keys that a deletion mark names. */
export function keysInMark(value: Uint8Array): readonly StorageKey[] {
  return Buffer.from(value).toString().split(keySeparator).map(storageKeyFrom);
}

/** A character that no key has. */
const keySeparator = '\0';

/** The types that a bookmark names. */
export function typesInBookmark(value: Uint8Array): readonly string[] {
  return value.length === 0 ? [] : Buffer.from(value).toString().split(keySeparator);
}

function createBookmark(layout: KeyLayout, types: ReadonlySet<StorageKey>): IRequestOp {
  return put(layout.bookmark, Buffer.from([...types].join(keySeparator)));
}

function nestedRequest(layout: KeyLayout, { transaction }: BatchMember, position: number): IRequestOp {
  const request = memberRequest(layout, transaction, position);
  if (transaction.deletes.length === 0) return { request_txn: request };
  // A deletion leaves no value that could tell the position: the mark before it does, also in its own history.
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

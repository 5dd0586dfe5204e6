import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey } from './keys.ts';

/** One key with its bytes and the revision of its last write. */
export interface StorageRecord {
  readonly key: StorageKey;
  /** Owned by the receiver: never a view into a larger buffer that something else keeps alive. */
  readonly value: Uint8Array;
  readonly revision: Revision;
}

/** How full a store is. */
export interface StoreSpace {
  /** Bytes on its disk, history and free pages included; of several members the largest. */
  readonly sizeBytes: number;
  /** Bytes at which it stops taking writes; 0: no bound is known. */
  readonly quotaBytes: number;
  /** Whether it takes no writes now. */
  readonly isFull: boolean;
}

/**
 * The state of a key that a transaction needs to commit: absent (revision 0), or at exactly this revision, which is one
 * that the store has given to a record of the key.
 */
export interface Precondition {
  readonly key: StorageKey;
  readonly revision: Revision;
}

/** Writes that become true together, at one new revision. */
export interface Transaction {
  readonly preconditions: readonly Precondition[];
  readonly puts: readonly { readonly key: StorageKey; readonly value: Uint8Array }[];
  readonly deletes: readonly StorageKey[];
}

/** How a transaction ended. A failed precondition is an outcome, not an error. */
export type TransactionOutcome =
  | { readonly committed: true; readonly revision: Revision }
  | {
      readonly committed: false;
      /** The store's revision at which the precondition was seen to fail. */
      readonly revision: Revision;
      /** Index into `preconditions` of the first one that failed. */
      readonly failedPrecondition: number;
      /** The record under that precondition's key, undefined when there is none. */
      readonly current: StorageRecord | undefined;
    };

/** A page of records, all as of one revision. */
export interface RecordPage {
  readonly records: readonly StorageRecord[];
  readonly revision: Revision;
  readonly more: boolean;
  /** How many records below the prefix come after the last one of this page. */
  readonly remaining: number;
}

/** Which records a list asks for. */
export interface ListQuery {
  readonly prefix: StorageKey;
  /** Only keys greater than this one. */
  readonly startAfter?: StorageKey;
  /** At most this many records; a server may send fewer and set `more`. Undefined: the server's page size. */
  readonly limit?: number;
  /** The revision to read at. Undefined: the current one, read linearizably. */
  readonly atRevision?: Revision;
}

/** One change of one object key. */
export interface Change {
  readonly type: 'created' | 'updated' | 'deleted';
  readonly revision: Revision;
  readonly key: StorageKey;
  /** The bytes after the change; empty for a deletion. */
  readonly value: Uint8Array;
  /** The bytes before the change; empty for a creation. */
  readonly previousValue: Uint8Array;
  /** Milliseconds since 1970 at which storage saw the change. */
  readonly committedAt: number;
  /** Milliseconds since 1970 at which storage sent it on to another process; absent within one. */
  readonly publishedAt?: number;
}

/**
 * Changes of one or more whole revisions, in revision order; every change up to `revision` has been sent with it or
 * before it. Without changes it is a progress note.
 */
export interface ChangeBatch {
  readonly changes: readonly Change[];
  readonly revision: Revision;
  /** Types whose type revision may have moved up to `revision` although no change of them is in this batch. */
  readonly writtenTypes?: readonly StorageKey[];
}

/** Where a stream of changes begins. */
export type ChangesStart =
  | {
      readonly after: Revision;
      /** Changes of the control types (`partition.ts`) suffice: a server may leave out all others. */
      readonly only?: 'control';
    }
  | { readonly from: 'window-start' };

/**
 * A revisioned key-value log: the one thing that Binnacle's state lives in.
 *
 * Revision order. Every transaction that commits gets a revision of its own, a positive whole number greater than
 * every one before. A read names the revision that it shows. Reads without a revision are linearizable: they show
 * every transaction that was acknowledged, through any pod, before the read began. An acknowledged transaction is
 * durable: it survives the sudden end of every process.
 *
 * Keys are described in `keys.ts`. Storage knows keys, bytes and revisions, and nothing of kinds.
 *
 * Every method honours the call's deadline and signal, and fails with a `StorageError` and nothing else.
 */
export interface Storage {
  /** The record of a key, or undefined, with the store's revision at the time of the read. */
  get(
    key: StorageKey,
    call: CallContext,
  ): Promise<{ readonly record: StorageRecord | undefined; readonly revision: Revision }>;

  /**
   * A page of the records below a prefix in key order (order of UTF-8 bytes).
   *
   * Errors: `compacted` when history no longer reaches `atRevision`; `future-revision` when the store has not come
   * to it.
   */
  list(query: ListQuery, call: CallContext): Promise<RecordPage>;

  /**
   * Commits every put and delete at one new revision, or none of them.
   *
   * Deleting an absent key changes nothing of that key. A key stands at most once among puts and deletes. Of each
   * object type that is written the type revision moves to the new revision in the same transaction.
   *
   * Errors: `too-large` for a value over the store's limit or too many operations; `unknown-outcome` when it cannot
   * be said whether the transaction committed; `full` when the store has no space left. A call that fails with any other error has changed nothing.
   */
  transact(transaction: Transaction, call: CallContext): Promise<TransactionOutcome>;

  /**
   * The revision of the last write of an object type, read linearizably; 0 when it was never written. Where several
   * transactions were committed as one, it may be a later one of these, or of a transaction among them that was refused;
   * `changes` reaches it all the same. Without a prefix: the store's revision.
   */
  typeRevision(typePrefix: StorageKey | undefined, call: CallContext): Promise<Revision>;

  /**
   * Every change of an object key after a revision, in revision order, none left out and none twice, without end.
   * Reserved keys do not appear. Progress notes come at least every two seconds while nothing changes. Ends only
   * with the call's signal (a plain return) or an error; the call's deadline does not apply. From the window's start
   * the first batch has no changes and names the revision at which the window starts.
   *
   * Errors: `compacted` when history no longer reaches the start; `future-revision` when the store has not come to
   * it; `unavailable` when the way to the store broke.
   */
  changes(start: ChangesStart, call: CallContext): AsyncIterable<ChangeBatch>;

  /**
   * Forgets the history before a revision. Reads at earlier revisions fail with `compacted` from then on. Where
   * several transactions were committed as one, it may keep all of those and the state before them. A revision that was
   * compacted before is no error.
   *
   * Errors: `future-revision` when the store has not reached it.
   */
  compact(revision: Revision, call: CallContext): Promise<void>;

  /** How full the store is, as was last seen. Not there where the store has no bound but its disk. */
  space?(call: CallContext): Promise<StoreSpace>;
}

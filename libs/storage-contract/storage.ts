import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey } from './keys.ts';

/** One key with its bytes and the revision of its last write. */
export interface StorageRecord {
  readonly key: StorageKey;
  /** Owned by the receiver: not a view into a larger buffer, which it would keep alive. */
  readonly value: Uint8Array;
  readonly revision: Revision;
  /**
   * Whether a write of the same value would be stored otherwise, because other keys encrypt now. Only in the results of `get` and
   * `transact`.
   */
  readonly isStale?: boolean;
}

/** Space usage of a store. */
export interface StoreSpace {
  /** Bytes on disk, history and free pages included; with several members the largest. */
  readonly sizeBytes: number;
  /** Size in bytes at which the store stops accepting writes; 0: unknown. */
  readonly quotaBytes: number;
  /** Whether the store currently accepts no writes. */
  readonly isFull: boolean;
}

/**
 * The required state of a key for a transaction to commit: absent (revision 0), or at exactly this revision, which the store must
 * have assigned to a record of the key.
 */
export interface Precondition {
  readonly key: StorageKey;
  readonly revision: Revision;
}

/** Writes that are committed atomically, at one new revision. */
export interface Transaction {
  readonly preconditions: readonly Precondition[];
  readonly puts: readonly { readonly key: StorageKey; readonly value: Uint8Array }[];
  readonly deletes: readonly StorageKey[];
}

/** Outcome of a transaction. A failed precondition is an outcome, not an error. */
export type TransactionOutcome =
  | { readonly committed: true; readonly revision: Revision }
  | {
      readonly committed: false;
      /** Revision of the store at which the precondition failed. */
      readonly revision: Revision;
      /** Index into `preconditions` of the first failed precondition. */
      readonly failedPrecondition: number;
      /** Current record of that precondition's key; undefined if there is none. */
      readonly current: StorageRecord | undefined;
    };

/** A page of records, all as of one revision. */
export interface RecordPage {
  readonly records: readonly StorageRecord[];
  readonly revision: Revision;
  readonly more: boolean;
  /** Number of records under the prefix after the last one of this page. */
  readonly remaining: number;
}

/** Selects the records of a list. */
export interface ListQuery {
  readonly prefix: StorageKey;
  /** Only keys greater than this one. */
  readonly startAfter?: StorageKey;
  /** Maximum number of records; a server may return fewer and set `more`. Undefined: the server's page size. */
  readonly limit?: number;
  /** Revision to read at. Undefined: the current revision, read linearizably. */
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
  /** Time at which storage committed the change, in ms since 1970. */
  readonly committedAt: number;
  /** Time at which storage sent the change to another process, in ms since 1970; absent within one process. */
  readonly publishedAt?: number;
  /** Whether a value cannot be decrypted: both are empty then, and readers list the type. */
  readonly isUnreadable?: boolean;
  /** W3C traceparent of the write, or of its publication, if its trace is sampled. */
  readonly traceparent?: string;
}

/**
 * Changes of one or more complete revisions, in revision order; all changes up to `revision` are in this batch or in an earlier
 * one. A batch without changes is a progress note.
 */
export interface ChangeBatch {
  readonly changes: readonly Change[];
  readonly revision: Revision;
  /** Types whose type revision may have advanced up to `revision` without a change in this batch. */
  readonly writtenTypes?: readonly StorageKey[];
}

/** Start of a stream of changes. */
export type ChangesStart =
  | {
      readonly after: Revision;
      /** Only changes of the control types (`partition.ts`) are needed: a server may omit all others. */
      readonly only?: 'control';
    }
  | { readonly from: 'window-start' };

/**
 * A revisioned key-value log: the only place of Binnacle's state.
 *
 * Revision order: every committed transaction gets a revision of its own, a positive integer greater than all earlier ones. A
 * read returns the revision that it shows. Reads without a revision are linearizable: they show every transaction that any pod
 * acknowledged before the read began. An acknowledged transaction is durable: it survives a crash of every process.
 *
 * Keys are described in `keys.ts`. Storage handles keys, bytes and revisions, and does not depend on kinds.
 *
 * Every method honours the call's deadline and signal, and fails only with a `StorageError`. A method that returns values fails with
 * `unreadable` when one of them cannot be decrypted; a change of it is sent without its values (`isUnreadable`).
 */
export interface Storage {
  /** Returns the record of a key, or undefined, with the store's revision at the time of the read. */
  get(
    key: StorageKey,
    call: CallContext,
  ): Promise<{ readonly record: StorageRecord | undefined; readonly revision: Revision }>;

  /**
   * Returns a page of the records under a prefix in key order (order of UTF-8 bytes).
   *
   * Errors: `compacted` when the history no longer contains `atRevision`; `future-revision` when the store has not reached it.
   */
  list(query: ListQuery, call: CallContext): Promise<RecordPage>;

  /**
   * Commits all puts and deletes at one new revision, or none of them.
   *
   * Deleting an absent key does not change that key. Puts and deletes contain each key at most once. The same transaction
   * advances the type revision of each written object type to the new revision.
   *
   * Errors: `too-large` for a value over the store's limit or for too many operations; `unknown-outcome` when it is unknown
   * whether the transaction committed; `full` when the store has no space left. A call that fails with any error other than
   * `unknown-outcome` has changed nothing.
   */
  transact(transaction: Transaction, call: CallContext): Promise<TransactionOutcome>;

  /**
   * Returns the revision of the last write of an object type, read linearizably; 0 if the type was never written. When a store
   * commits several transactions as one, the result may be the revision of a later one of them, even of one that was refused;
   * `changes` reaches this revision nevertheless. Without a prefix: the store's revision.
   */
  typeRevision(typePrefix: StorageKey | undefined, call: CallContext): Promise<Revision>;

  /**
   * Streams every change of an object key after a revision, in revision order, without gaps, duplicates or end. Reserved keys do
   * not appear. The store sends a progress note at least every 2 s while nothing changes. The stream ends only with the call's
   * signal (it returns normally) or an error; the call's deadline does not apply. From `window-start` the first batch has no
   * changes and names the revision at which the window starts.
   *
   * Errors: `compacted` when the history no longer contains the start; `future-revision` when the store has not reached it;
   * `unavailable` when the connection to the store broke.
   */
  changes(start: ChangesStart, call: CallContext): AsyncIterable<ChangeBatch>;

  /**
   * Deletes the history before a revision. Later reads at earlier revisions fail with `compacted`. When several transactions were
   * committed as one, the store may keep all of them and the state before them. Compacting an already compacted revision is no
   * error.
   *
   * Errors: `future-revision` when the store has not reached the revision.
   */
  compact(revision: Revision, call: CallContext): Promise<void>;

  /** Returns the last known space usage. Absent for stores that are bounded only by their disk. */
  space?(call: CallContext): Promise<StoreSpace>;
}

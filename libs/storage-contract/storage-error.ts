/** Kinds of storage failures; a failed precondition is not a failure. */
export type StorageErrorKind =
  /** The history no longer contains the requested revision. */
  | 'compacted'
  /** The store has not reached the requested revision. */
  | 'future-revision'
  /** A value or a transaction exceeds the store's size limit. */
  | 'too-large'
  /** The store has no space left and accepts no writes; nothing was changed. */
  | 'full'
  /** A stored value cannot be decrypted; nothing was changed. */
  | 'unreadable'
  /** A value cannot be encrypted; nothing was changed. */
  | 'not-encrypted'
  /** The store, or the connection to it, is down; nothing was changed. */
  | 'unavailable'
  /** No answer within the deadline, for a read or for a write that was certainly not sent. */
  | 'deadline'
  /** The transaction may or may not have committed. */
  | 'unknown-outcome'
  /** The caller's signal aborted the call. */
  | 'cancelled';

/** The error type of storage; the gateway maps it to a StatusError at one place. */
export class StorageError extends Error {
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.kind = kind;
  }
}

/** Whether a thrown value is a storage error, of the given kind if there is one. */
export function isStorageError(thrown: unknown, kind?: StorageErrorKind): thrown is StorageError {
  return thrown instanceof StorageError && (kind === undefined || thrown.kind === kind);
}

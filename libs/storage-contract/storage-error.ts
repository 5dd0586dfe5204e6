/** The kinds of failures in the store, apart from a precondition that does not hold. */
export type StorageErrorKind =
  /** History no longer reaches the revision that was asked for. */
  | 'compacted'
  /** The store has not come to the revision that was asked for. */
  | 'future-revision'
  /** A value or a transaction is larger than the store takes. */
  | 'too-large'
  /** The store takes no writes, since it has no space left; nothing was changed. */
  | 'full'
  /** The store, or the way to it, is down; nothing was changed. */
  | 'unavailable'
  /** No answer within the deadline; a read, or a write that is known not to have been sent. */
  | 'deadline'
  /** The transaction may or may not have committed. */
  | 'unknown-outcome'
  /** The caller's signal ended the call. */
  | 'cancelled';

/** The one error that storage speaks; mapped to a StatusError once, at the gateway's boundary. */
export class StorageError extends Error {
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.kind = kind;
  }
}

/** Whether something thrown is a storage error, of one kind if that is given. */
export function isStorageError(thrown: unknown, kind?: StorageErrorKind): thrown is StorageError {
  return thrown instanceof StorageError && (kind === undefined || thrown.kind === kind);
}

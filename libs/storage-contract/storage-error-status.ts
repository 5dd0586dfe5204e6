import { ConnectionLost, errorMessage, StatusError } from '@binnacle/status-errors';
import { StorageError, type StorageErrorKind } from './storage-error.ts';

/** Reason of the StatusError cause whose message is the kind of the storage error. */
const causeReason = 'StorageError';

const statusOfKind: { readonly [kind in StorageErrorKind]: { code: number; reason: string } } = {
  compacted: { code: 410, reason: 'Expired' },
  'future-revision': { code: 504, reason: 'Timeout' },
  'too-large': { code: 413, reason: 'RequestEntityTooLarge' },
  full: { code: 500, reason: 'InternalError' },
  unreadable: { code: 500, reason: 'InternalError' },
  'not-encrypted': { code: 500, reason: 'InternalError' },
  unavailable: { code: 503, reason: 'ServiceUnavailable' },
  deadline: { code: 504, reason: 'Timeout' },
  'unknown-outcome': { code: 504, reason: 'Timeout' },
  cancelled: { code: 499, reason: 'ClientClosedRequest' },
};

/** Converts a storage error to the StatusError sent between services; one of its causes names the kind. */
export function statusErrorFromStorageError(error: StorageError): StatusError {
  const causes = [{ reason: causeReason, message: error.kind }];
  return new StatusError({
    ...statusOfKind[error.kind],
    message: error.message,
    details: { causes },
    cause: error,
  });
}

/** Properties of a failed call: a write without an answer has an unknown outcome. */
interface FailedCall {
  /** Whether the call was a transaction. */
  readonly writes: boolean;
  /** Whether the caller aborted the call. */
  readonly aborted: boolean;
}

/** Converts the failure of a call between services to a storage error. */
export function storageErrorFrom(thrown: unknown, call: FailedCall): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const kind = kindNamedBy(thrown) ?? kindOfSilence(thrown, call);
  const message = errorMessage(thrown);
  return new StorageError(kind, message, { cause: thrown });
}

function kindNamedBy(thrown: unknown): StorageErrorKind | undefined {
  if (!(thrown instanceof StatusError)) return undefined;
  const named = thrown.causes.find(cause => cause.reason === causeReason)?.message;
  return named !== undefined && named in statusOfKind ? (named as StorageErrorKind) : undefined; // A key of the table.
}

function kindOfSilence(thrown: unknown, call: FailedCall): StorageErrorKind {
  if (thrown instanceof ConnectionLost) return call.writes ? 'unknown-outcome' : 'unavailable';
  // A 503 other than a lost connection occurs before the call was sent, or at a server that did not process it.
  if (thrown instanceof StatusError && thrown.code === 503) return 'unavailable';
  if (call.writes) return 'unknown-outcome';
  if (call.aborted) return 'cancelled';
  return thrown instanceof StatusError && thrown.code === 504 ? 'deadline' : 'unavailable';
}

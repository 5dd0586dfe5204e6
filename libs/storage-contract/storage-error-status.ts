import { ConnectionLost, errorMessage, StatusError } from '@binnacle/status-errors';
import { StorageError, type StorageErrorKind } from './storage-error.ts';

/** The reason of the cause that names the kind of a storage error inside a StatusError. */
const causeReason = 'StorageError';

const statusOfKind: { readonly [kind in StorageErrorKind]: { code: number; reason: string } } = {
  compacted: { code: 410, reason: 'Expired' },
  'future-revision': { code: 504, reason: 'Timeout' },
  'too-large': { code: 413, reason: 'RequestEntityTooLarge' },
  full: { code: 500, reason: 'InternalError' },
  unavailable: { code: 503, reason: 'ServiceUnavailable' },
  deadline: { code: 504, reason: 'Timeout' },
  'unknown-outcome': { code: 504, reason: 'Timeout' },
  cancelled: { code: 499, reason: 'ClientClosedRequest' },
};

/** A storage error as it travels between services: a cause of the StatusError names its kind. */
export function statusErrorFromStorageError(error: StorageError): StatusError {
  const causes = [{ reason: causeReason, message: error.kind }];
  return new StatusError({
    ...statusOfKind[error.kind],
    message: error.message,
    details: { causes },
    cause: error,
  });
}

/** The meaning of a failed call: for one that may have changed something, silence leaves the outcome unknown. */
interface FailedCall {
  /** Whether the call was a transaction. */
  readonly writes: boolean;
  /** Whether the caller ended it. */
  readonly aborted: boolean;
}

/** The storage error that a failed call between services stands for. */
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
  // A 503 that is no lost connection comes from before the call was sent, or from a server that did not begin it.
  if (thrown instanceof StatusError && thrown.code === 503) return 'unavailable';
  if (call.writes) return 'unknown-outcome';
  if (call.aborted) return 'cancelled';
  return thrown instanceof StatusError && thrown.code === 504 ? 'deadline' : 'unavailable';
}

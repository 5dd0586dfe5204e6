import {
  expired,
  internalError,
  StatusError,
  serviceUnavailable,
  statusErrorFrom,
  timeout,
} from '@binnacle/status-errors';
import { isStorageError, type StorageError } from '@binnacle/storage-contract';
import { resourceVersionTooLarge } from '../read/resource-version-too-large.ts';

/** Any error as the StatusError that a client gets; storage errors are mapped here and nowhere else. */
export function clientErrorFrom(error: unknown): StatusError {
  return isStorageError(error) ? statusOfStorageError(error) : statusErrorFrom(error);
}

function statusOfStorageError(error: StorageError): StatusError {
  switch (error.kind) {
    case 'compacted':
      return expired('the requested resourceVersion is older than the history that is kept; list again');
    case 'future-revision':
      return resourceVersionTooLarge('Too large resource version: the store has not reached it');
    case 'too-large':
      return new StatusError({
        reason: 'RequestEntityTooLarge',
        code: 413,
        message: 'the object is larger than the store accepts',
      });
    case 'full':
      return internalError('the store is full (database space exceeded); nothing was changed', error);
    case 'unreadable':
    case 'not-encrypted':
      return internalError(error.message, error);
    case 'unavailable':
      return withCause(serviceUnavailable('the store is not available; nothing was changed'), error);
    case 'deadline':
      return withCause(timeout('Timeout: the store did not answer in time; nothing was changed'), error);
    case 'unknown-outcome':
      return withCause(
        timeout('Timeout: the outcome of the write is unknown; read the object to see whether it happened'),
        error,
      );
    case 'cancelled':
      return withCause(timeout('Timeout: the request ended before the store answered'), error);
  }
}

/** The same error with its cause, for the log. */
function withCause(error: StatusError, cause: unknown): StatusError {
  const { reason, code, message, details } = error;
  return new StatusError({ reason, code, message, details, cause });
}

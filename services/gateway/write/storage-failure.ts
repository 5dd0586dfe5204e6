import {
  expired,
  internalError,
  requestEntityTooLarge,
  type StatusError,
  serviceUnavailable,
  timeout,
} from '@binnacle/status-errors';
import { maxTransactionBytes, StorageError } from '@binnacle/storage-contract';

/** Calls storage, and turns its errors into those that a client of the API sees. */
export async function callStorage<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw thrown instanceof StorageError ? statusErrorOf(thrown) : thrown;
  }
}

function statusErrorOf(error: StorageError): StatusError {
  switch (error.kind) {
    case 'unavailable':
      return serviceUnavailable('the store cannot be reached; nothing was changed');
    case 'deadline':
      return timeout('the store did not answer in time; nothing was changed', 1);
    case 'unknown-outcome':
      return timeout(
        'the outcome of the write is unknown: it may or may not have been made; read the object again',
      );
    case 'cancelled':
      return timeout('the request was ended before it was finished');
    case 'too-large':
      return requestEntityTooLarge(maxTransactionBytes);
    case 'compacted':
      return expired('the revision is too old: list again');
    case 'future-revision':
      return internalError('the store was asked for a revision that it has not come to', error);
  }
}

import { type StatusError, serviceUnavailable, timeout } from '@binnacle/status-errors';
import { StorageError } from '@binnacle/storage-contract';

/** Reads from the store, and turns its errors into those that a client of the API sees. */
export async function readStore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    throw thrown instanceof StorageError ? statusErrorOf(thrown) : thrown;
  }
}

function statusErrorOf({ kind }: StorageError): StatusError {
  return kind === 'deadline' || kind === 'cancelled'
    ? timeout('the store did not answer in time; nothing was changed', 1)
    : serviceUnavailable('the store cannot be reached; nothing was changed');
}

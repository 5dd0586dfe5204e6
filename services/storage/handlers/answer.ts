import { badRequest } from '@binnacle/status-errors';
import { isStorageError, statusErrorFromStorageError } from '@binnacle/storage-contract';

/** Does the work of a handler, with the store's errors made ready for the way to the caller. */
export async function answer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw statusErrorOf(thrown);
  }
}

/** The error that a caller gets: a RangeError says that the request itself is not well formed. */
export function statusErrorOf(thrown: unknown): unknown {
  if (isStorageError(thrown)) return statusErrorFromStorageError(thrown);
  return thrown instanceof RangeError ? badRequest(thrown.message) : thrown;
}

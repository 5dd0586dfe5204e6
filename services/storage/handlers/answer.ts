import { badRequest } from '@binnacle/status-errors';
import { isStorageError, MalformedRequest, statusErrorFromStorageError } from '@binnacle/storage-contract';

/** Does the work of a handler, with the store's errors made ready for the way to the caller. */
export async function answer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw statusErrorOf(thrown);
  }
}

/** The error that a caller gets: a malformed request is the caller's fault, any other surprise an internal error. */
export function statusErrorOf(thrown: unknown): unknown {
  if (isStorageError(thrown)) return statusErrorFromStorageError(thrown);
  return thrown instanceof MalformedRequest ? badRequest(thrown.message) : thrown;
}

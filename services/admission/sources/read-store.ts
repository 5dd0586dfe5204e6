import type { ResourceDefinition } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { type StatusError, serviceUnavailable, timeout } from '@binnacle/status-errors';
import { type Revision, type Storage, StorageError, storageKeyFrom } from '@binnacle/storage-contract';

/** Reads from the store, and turns its errors into errors of the API. */
export async function readStore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    throw thrown instanceof StorageError ? toStatusError(thrown) : thrown;
  }
}

function toStatusError({ kind }: StorageError): StatusError {
  return kind === 'deadline' || kind === 'cancelled'
    ? timeout('the store did not answer in time; nothing was changed', 1)
    : serviceUnavailable('the store cannot be reached; nothing was changed');
}

/**
 * Reads the revision of the last write to a type: a cache that has reached it shows every write that was acknowledged before the
 * call. Fails as `readStore` does.
 */
export function readTypeRevision(
  storage: Pick<Storage, 'typeRevision'>,
  { storagePrefix }: ResourceDefinition,
  call: CallContext,
): Promise<Revision> {
  return readStore(() => storage.typeRevision(storageKeyFrom(storagePrefix), call));
}

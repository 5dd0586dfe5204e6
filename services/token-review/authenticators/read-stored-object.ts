import type { ApiObject } from '@binnacle/api-objects';
import { decodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { serviceUnavailable } from '@binnacle/status-errors';
import { isStorageError, type Storage, storageKeyFrom } from '@binnacle/storage-contract';

/** A namespaced object of the core group. */
interface StoredName {
  readonly resource: 'pods' | 'secrets' | 'serviceaccounts';
  readonly namespace: string;
  readonly name: string;
}

/** Reads an object from storage; returns undefined when there is none. Throws ServiceUnavailable while storage does not answer. */
export async function readStoredObject(
  storage: Storage,
  { resource, namespace, name }: StoredName,
  call: CallContext,
): Promise<ApiObject | undefined> {
  try {
    const { record } = await storage.get(storageKeyFrom(`/core/${resource}/${namespace}/${name}`), call);
    return record && decodeStored(record.value, record.revision);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw serviceUnavailable(
      'token-review cannot look up the objects that the token names: storage does not answer',
    );
  }
}

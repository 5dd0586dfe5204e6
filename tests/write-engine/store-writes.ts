import { encodeStored } from '@binnacle/codecs';
import { noDeadline } from '@binnacle/proto';
import type { Storage, StorageKey } from '@binnacle/storage-contract';

/** A call without an end. */
export const call = { signal: new AbortController().signal, deadline: noDeadline };

const other = encodeStored({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } });

/** Writes a key anew, with the bytes that it has, as another write would. */
export async function touch(storage: Storage, key: StorageKey): Promise<void> {
  const { record } = await storage.get(key, call);
  const preconditions = [{ key, revision: record?.revision ?? 0 }];
  const puts = [{ key, value: record?.value ?? other }];
  await storage.transact({ preconditions, puts, deletes: [] }, call);
}

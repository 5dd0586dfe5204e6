import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey, StorageRecord } from '@binnacle/storage-contract';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { revisionFromEtcd } from './revisions.ts';
import { recordFromEtcd, storeRevision } from './stored-values.ts';

/** Reads one key, linearizably. */
export async function get(
  connection: EtcdConnection,
  key: StorageKey,
  call: CallContext,
): Promise<{ readonly record: StorageRecord | undefined; readonly revision: Revision }> {
  try {
    const response = await connection.range({ key: connection.layout.toBytes(key) }, call);
    const kv = response.kvs[0];
    return { record: kv && recordFromEtcd(connection.layout, kv), revision: storeRevision(response) };
  } catch (thrown) {
    throw storageErrorFromEtcd(thrown);
  }
}

/** Reads the revision after the batch with the last write of a type, or of the store; linearizably, since it is one key. */
export async function typeRevision(
  connection: EtcdConnection,
  typePrefix: StorageKey | undefined,
  call: CallContext,
): Promise<Revision> {
  const key =
    typePrefix === undefined ? connection.layout.bookmark : connection.layout.typeRevisionBytes(typePrefix);
  try {
    const response = await connection.range({ key, keys_only: true }, call);
    return typePrefix === undefined
      ? storeRevision(response)
      : revisionFromEtcd(response.kvs[0]?.mod_revision ?? 0);
  } catch (thrown) {
    throw storageErrorFromEtcd(thrown);
  }
}

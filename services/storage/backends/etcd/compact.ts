import type { CallContext } from '@binnacle/proto';
import { isStorageError, type Revision } from '@binnacle/storage-contract';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';

/** Compacts all of etcd, whose history is one. */
export async function compact(
  connection: EtcdConnection,
  revision: Revision,
  call: CallContext,
): Promise<void> {
  try {
    await connection.compact({ revision }, call);
  } catch (thrown) {
    const error = storageErrorFromEtcd(thrown);
    if (!isStorageError(error, 'compacted')) throw error;
  }
}

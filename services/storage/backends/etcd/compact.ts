import type { CallContext } from '@binnacle/proto';
import { isStorageError, type Revision } from '@binnacle/storage-contract';
import { assertWanted } from '../call-limits.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import { lastWholeBatch } from './revisions.ts';

/**
 * Compacts the history of etcd, which all its users share. The batch that contains the revision stays: etcd keeps whole batches.
 */
export async function compact(
  connection: EtcdConnection,
  revision: Revision,
  call: CallContext,
): Promise<void> {
  assertWanted(call);
  const etcdRevision = lastWholeBatch(revision);
  if (etcdRevision === 0) return;
  try {
    await connection.compact({ revision: etcdRevision }, call);
  } catch (thrown) {
    const error = storageErrorFromEtcd(thrown);
    if (!isStorageError(error, 'compacted')) throw error;
  }
}

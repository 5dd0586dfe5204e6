import type { Storage } from '@binnacle/storage-contract';
import type { BatchLimits } from './batch.ts';
import { changes } from './changes.ts';
import { compact } from './compact.ts';
import type { EtcdConnection } from './connection.ts';
import { get, typeRevision } from './get.ts';
import { GroupCommit } from './group-commit.ts';
import { list } from './list.ts';
import { withRevisionFloor } from './moved-revisions.ts';

/** Creates the store in etcd, below the connection's prefix. The caller keeps ownership of the connection. */
export function createEtcdStorage(connection: EtcdConnection, limits?: BatchLimits): Storage {
  const commits = new GroupCommit(connection, limits);
  return withRevisionFloor({
    get: (key, call) => get(connection, key, call),
    list: (query, call) => list(connection, query, call),
    transact: (transaction, call) => commits.transact(transaction, call),
    typeRevision: (typePrefix, call) => typeRevision(connection, typePrefix, call),
    changes: (start, call) => changes(connection, start, call),
    compact: (revision, call) => compact(connection, revision, call),
  });
}

import type { Storage } from '@binnacle/storage-contract';
import { changes } from './changes.ts';
import { compact } from './compact.ts';
import type { EtcdConnection } from './connection.ts';
import { get, typeRevision } from './get.ts';
import { list } from './list.ts';
import { transact } from './transact.ts';

/** The store in etcd, below the connection's prefix. The connection stays its owner's. */
export function createEtcdStorage(connection: EtcdConnection): Storage {
  return {
    get: (key, call) => get(connection, key, call),
    list: (query, call) => list(connection, query, call),
    transact: (transaction, call) => transact(connection, transaction, call),
    typeRevision: (typePrefix, call) => typeRevision(connection, typePrefix, call),
    changes: (start, call) => changes(connection, start, call),
    compact: (revision, call) => compact(connection, revision, call),
  };
}

import type { CallContext } from '@binnacle/proto';
import { inSpan } from '@binnacle/rpc';
import type { ListQuery, Storage, StorageKey, Transaction } from '@binnacle/storage-contract';
import { describeTransaction, resourceOfKey } from './measured-storage.ts';

/** The names of the spans, by the operation of a transaction, as kube-apiserver's readers know them. */
const writeNames: Readonly<Record<string, string>> = {
  create: 'Create',
  update: 'GuaranteedUpdate',
  delete: 'Delete',
};

/** Wraps a store with spans of the calls whose traces are sampled: `Create etcd3`. */
export function tracedStorage(storage: Storage, backend: string): Storage {
  const store = backend === 'etcd' ? 'etcd3' : backend;
  const get = (key: StorageKey, traced: CallContext) =>
    inSpan(traced, { name: `Get ${store}`, attributes: { key, type: resourceOfKey(key) } }, call =>
      storage.get(key, call),
    );
  const list = (query: ListQuery, traced: CallContext) =>
    inSpan(
      traced,
      {
        name: `List(recursive=true) ${store}`,
        attributes: { key: query.prefix, type: resourceOfKey(query.prefix) },
      },
      call => storage.list(query, call),
    );
  const transact = (transaction: Transaction, traced: CallContext) => {
    const { operation, type } = describeTransaction(transaction);
    const key = transaction.puts[0]?.key ?? transaction.deletes[0] ?? '';
    return inSpan(traced, { name: `${writeNames[operation]} ${store}`, attributes: { key, type } }, call =>
      storage.transact(transaction, call),
    );
  };
  return {
    ...storage,
    get: (key, call) => (call.trace?.isSampled === true ? get(key, call) : storage.get(key, call)),
    list: (query, call) => (call.trace?.isSampled === true ? list(query, call) : storage.list(query, call)),
    transact: (transaction, call) =>
      call.trace?.isSampled === true ? transact(transaction, call) : storage.transact(transaction, call),
  };
}

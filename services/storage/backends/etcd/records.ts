import type { Revision, StorageRecord } from '@binnacle/storage-contract';
import type { IKeyValue } from 'etcd3';
import type { KeyLayout } from '../key-layout.ts';

/** A record as etcd gives it; its bytes are views of the reply and are copied out once. */
export function recordFromEtcd(layout: KeyLayout, kv: IKeyValue): StorageRecord {
  return { key: layout.keyOf(kv.key), value: new Uint8Array(kv.value), revision: Number(kv.mod_revision) };
}

/** The revision of the store that an answer names. */
export function storeRevision(response: { readonly header: { readonly revision: string } }): Revision {
  return Number(response.header.revision);
}

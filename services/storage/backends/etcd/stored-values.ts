import type { Revision, StorageRecord } from '@binnacle/storage-contract';
import type { IKeyValue } from 'etcd3';
import type { KeyLayout } from '../key-layout.ts';
import { lastPosition, revisionAt, revisionFromEtcd } from './revisions.ts';

/**
 * Mark of the last byte of a value in etcd: 128 + the position of its transaction in the batch. Values that were stored before there
 * were batches end in ASCII text, and are read as those of a single transaction.
 */
const mark = 0x80;

/** Encodes the value that the transaction at a position writes. */
export function storedValue(value: Uint8Array, position: number): Buffer {
  const stored = Buffer.allocUnsafe(value.length + 1);
  stored.set(value);
  stored[value.length] = mark | position;
  return stored;
}

/** Decodes the position of the transaction that wrote a stored value. */
export function positionIn(stored: Uint8Array): number {
  const last = stored.at(-1) ?? 0;
  return last >= mark ? last - mark : lastPosition;
}

/** Decodes the value of stored bytes as a copy: the bytes are a view of etcd's reply. */
export function valueIn(stored: Uint8Array): Uint8Array {
  const isMarked = (stored.at(-1) ?? 0) >= mark;
  return new Uint8Array(isMarked ? stored.subarray(0, -1) : stored);
}

/** Computes the revision of the transaction that wrote a key of etcd. */
export function revisionFromKeyValue({
  mod_revision,
  value,
}: Pick<IKeyValue, 'mod_revision' | 'value'>): Revision {
  return revisionAt(Number(mod_revision), positionIn(value));
}

/** Creates the record of a key of etcd. */
export function recordFromEtcd(layout: KeyLayout, kv: IKeyValue): StorageRecord {
  return { key: layout.toKey(kv.key), value: valueIn(kv.value), revision: revisionFromKeyValue(kv) };
}

/** Computes the revision of the store from the header of an answer. */
export function storeRevision(response: { readonly header: { readonly revision: string } }): Revision {
  return revisionFromEtcd(response.header.revision);
}

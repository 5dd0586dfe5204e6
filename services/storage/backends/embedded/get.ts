import {
  ownBytes,
  type Revision,
  type StorageKey,
  type StorageRecord,
  typeRevisionKey,
} from '@binnacle/storage-contract';
import { getLastVersion } from 'lmdb';
import type { EmbeddedStore } from './store.ts';

/** Reads the record of a key in the snapshot of this step. */
export function readRecord(store: EmbeddedStore, key: StorageKey): StorageRecord | undefined {
  const entry = store.current.getEntry(store.layout.toBytes(key));
  return entry && { key, value: ownBytes(entry.value), revision: entry.version ?? 0 };
}

/** Reads the revision of a key's last write in the snapshot of this step, 0 when the key is absent; the value is not copied. */
export function readRevision(store: EmbeddedStore, key: StorageKey): Revision {
  return store.current.getBinaryFast(store.layout.toBytes(key)) === undefined ? 0 : getLastVersion();
}

/** Reads one key, linearizably. */
export function get(
  store: EmbeddedStore,
  key: StorageKey,
): { readonly record: StorageRecord | undefined; readonly revision: Revision } {
  const { revision } = store.snapshot();
  return { record: readRecord(store, key), revision };
}

/**
 * Creates a reader of revisions that returns those of `typeRevision`, but reads each once while nothing is written: a read begins a
 * transaction of LMDB, with a timer of its own.
 */
export function createRevisionReader(store: EmbeddedStore): (typePrefix: StorageKey | undefined) => Revision {
  const read = new Map<StorageKey | undefined, { readonly revision: Revision; readonly state: number }>();
  return typePrefix => {
    const state = store.state();
    const known = read.get(typePrefix);
    if (known !== undefined && known.state === state) return known.revision;
    const revision = typeRevision(store, typePrefix);
    if (state !== undefined) read.set(typePrefix, { revision, state });
    return revision;
  };
}

/** Reads the revision of the last write of a type, or of the store. */
export function typeRevision(store: EmbeddedStore, typePrefix: StorageKey | undefined): Revision {
  const { revision } = store.snapshot();
  if (typePrefix === undefined) return revision;
  return readRevision(store, typeRevisionKey(typePrefix));
}

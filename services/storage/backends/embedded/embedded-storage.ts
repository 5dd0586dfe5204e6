import type { Revision, Storage, StorageKey } from '@binnacle/storage-contract';
import { assertWanted, withinCall } from '../call-limits.ts';
import { changes } from './changes.ts';
import { compact } from './compact.ts';
import { createRevisionReader, get, typeRevision } from './get.ts';
import { list } from './list.ts';
import { openStore } from './store.ts';
import { transact } from './transact.ts';

/** Options of the embedded store. */
interface EmbeddedStorageOptions {
  readonly directory: string;
  /** Milliseconds since 1970; default: the system's clock. */
  readonly clock?: () => number;
}

/** A store within this process. */
export interface EmbeddedStorage extends Storage, AsyncDisposable {
  /** The answer of `typeRevision`, without a wait. */
  currentRevision(typePrefix: StorageKey | undefined): Revision;
  /** Makes later revisions greater than this one; history begins there. A store that has reached it stays as it is. */
  continueAfter(revision: Revision): Promise<void>;
}

/**
 * Opens the store of a single process in a directory, on LMDB. A write is durable before it is acknowledged.
 *
 * Fails when another process has the directory open.
 */
export async function openEmbeddedStorage(options: EmbeddedStorageOptions): Promise<EmbeddedStorage> {
  const store = await openStore(options.directory, options.clock ?? Date.now);
  return {
    async get(key, call) {
      assertWanted(call);
      return get(store, key);
    },
    async list(query, call) {
      assertWanted(call);
      return list(store, query);
    },
    transact: (transaction, call) => transact(store, transaction, call),
    async typeRevision(typePrefix, call) {
      assertWanted(call);
      return typeRevision(store, typePrefix);
    },
    currentRevision: createRevisionReader(store),
    continueAfter: revision =>
      store.write(() => {
        if (store.lastRevision() >= revision) return;
        store.setRevision(revision);
        store.setCompacted(revision);
      }),
    changes: (start, call) => changes(store, start, call),
    async compact(revision, call) {
      assertWanted(call);
      await withinCall(compact(store, revision), call);
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

import type { StorageService } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import { changesHandler } from './changes.ts';
import { compactHandler } from './compact.ts';
import { getHandler } from './get.ts';
import { listHandler } from './list.ts';
import { transactHandler } from './transact.ts';
import { typeRevisionHandler } from './type-revision.ts';

/** The handlers of the Storage service over a store. `onRevisionTold` hears of each revision that a reader may wait for. */
export function createStorageHandlers(
  storage: Storage,
  onRevisionTold: (revision: Revision) => void,
): StorageService {
  return {
    get: getHandler(storage),
    list: listHandler(storage),
    transact: transactHandler(storage),
    typeRevision: typeRevisionHandler(storage, onRevisionTold),
    changes: changesHandler(storage),
    compact: compactHandler(storage),
  };
}

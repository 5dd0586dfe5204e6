import type { StorageService } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import { changesHandler } from './changes.ts';
import { compactHandler } from './compact.ts';
import { getHandler } from './get.ts';
import { listHandler } from './list.ts';
import { transactHandler } from './transact.ts';
import { typeRevisionHandler } from './type-revision.ts';

/** The handlers of the Storage service over a store. `onRevision` is called with each type revision returned. */
export function createStorageHandlers(
  storage: Storage,
  onRevision: (revision: Revision) => void,
): StorageService {
  return {
    get: getHandler(storage),
    list: listHandler(storage),
    transact: transactHandler(storage),
    typeRevision: typeRevisionHandler(storage, onRevision),
    changes: changesHandler(storage),
    compact: compactHandler(storage),
  };
}

import type { StorageService } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

/** `Storage.Compact`: forgets history before a revision. */
export function compactHandler(storage: Storage): StorageService['compact'] {
  return ({ revision }, call) =>
    answer(async () => {
      await storage.compact(revision, call);
      return { revision };
    });
}

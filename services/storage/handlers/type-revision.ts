import type { StorageService } from '@binnacle/proto';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

/** `Storage.TypeRevision`: the revision of the last write of a type, or of the store. */
export function typeRevisionHandler(storage: Storage): StorageService['typeRevision'] {
  return ({ typePrefix }, call) =>
    answer(async () => {
      const prefix = typePrefix === '' ? undefined : storageKeyFrom(typePrefix);
      return { revision: await storage.typeRevision(prefix, call) };
    });
}

import type { StorageService } from '@binnacle/proto';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

/** `Storage.Get`: one record, linearizably. */
export function getHandler(storage: Storage): StorageService['get'] {
  return (request, call) =>
    answer(async () => {
      const { record, revision } = await storage.get(storageKeyFrom(request.key), call);
      return record === undefined ? { revision } : { record, revision };
    });
}

import type { StorageService } from '@binnacle/proto';
import { listQueryFromWire, pageToWire, type Storage } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

/** `Storage.List`: a page of records as of one revision. */
export function listHandler(storage: Storage): StorageService['list'] {
  return (request, call) =>
    answer(async () => pageToWire(await storage.list(listQueryFromWire(request), call)));
}

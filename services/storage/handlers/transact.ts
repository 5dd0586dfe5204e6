import type { StorageService } from '@binnacle/proto';
import { outcomeToWire, type Storage, transactionFromWire } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

/** `Storage.Transact`: all writes at one revision, or none. */
export function transactHandler(storage: Storage): StorageService['transact'] {
  return (request, call) =>
    answer(async () => outcomeToWire(await storage.transact(transactionFromWire(request), call)));
}

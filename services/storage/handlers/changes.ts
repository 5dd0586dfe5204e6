import type { StorageService } from '@binnacle/proto';
import { type ChangesStart, changeBatchToWire, type Storage } from '@binnacle/storage-contract';
import { statusErrorOf } from './answer.ts';

/** `Storage.Changes`: every change after a revision, without end. */
export function changesHandler(storage: Storage): StorageService['changes'] {
  return async function* changes(request, call) {
    const start: ChangesStart = request.fromWindowStart
      ? { from: 'window-start' }
      : { after: request.afterRevision };
    let previousRevision = 'after' in start ? start.after : 0;
    try {
      for await (const batch of storage.changes(start, call)) {
        yield changeBatchToWire(batch, { previousRevision, publishedAt: Date.now() });
        previousRevision = batch.revision;
      }
    } catch (thrown) {
      throw statusErrorOf(thrown);
    }
  };
}

import type { StorageService } from '@binnacle/proto';
import { badRequest } from '@binnacle/status-errors';
import {
  type Change,
  type ChangesStart,
  changeBatchToWire,
  controlTypes,
  isStorageError,
  listQueryFromWire,
  MalformedRequest,
  outcomeToWire,
  pageToWire,
  type Revision,
  recordToWire,
  type Storage,
  type StoreSpace,
  statusErrorFromStorageError,
  storageKeyFrom,
  transactionFromWire,
  typePrefixFromKey,
} from '@binnacle/storage-contract';

import type { ChangeStreams } from './change-streams.ts';

/**
 * Creates the handlers of the Storage service on a store. `onRevision` is called with each returned type revision. Errors of the store
 * reach the caller as StatusErrors.
 */
export function createStorageHandlers(
  storage: Storage,
  onRevision: (revision: Revision) => void,
  streams: ChangeStreams,
): StorageService {
  return {
    get: (request, call) =>
      answer(async () => {
        const { record, revision } = await storage.get(storageKeyFrom(request.key), call);
        return record === undefined ? { revision } : { record: recordToWire(record), revision };
      }),
    list: (request, call) =>
      answer(async () => pageToWire(await storage.list(listQueryFromWire(request), call))),
    transact: (request, call) =>
      answer(async () => outcomeToWire(await storage.transact(transactionFromWire(request), call))),
    typeRevision: ({ typePrefix }, call) =>
      answer(async () => {
        const prefix = typePrefix === '' ? undefined : storageKeyFrom(typePrefix);
        const revision = await storage.typeRevision(prefix, call);
        onRevision(revision);
        return { revision };
      }),
    async *changes(request, call) {
      const start: ChangesStart = request.fromWindowStart
        ? { from: 'window-start' }
        : { after: request.afterRevision, ...(request.controlTypesOnly && { only: 'control' }) };
      let previousRevision = 'after' in start ? start.after : 0;
      const isWanted = wantedIn(start);
      try {
        using _stream = streams.enter('after' in start ? start.only : undefined);
        for await (const { changes, ...rest } of storage.changes(start, call)) {
          const batch = { ...rest, changes: isWanted ? changes.filter(isWanted) : changes };
          yield changeBatchToWire(batch, { previousRevision, publishedAt: Date.now() });
          previousRevision = batch.revision;
        }
      } catch (thrown) {
        throw toStatusError(thrown);
      }
    },
    compact: ({ revision }, call) =>
      answer(async () => {
        await storage.compact(revision, call);
        return { revision };
      }),
    space: (_, call) =>
      answer(async () => {
        const { isFull, ...bytes } = (await storage.space?.(call)) ?? unbounded;
        return { ...bytes, full: isFull };
      }),
  };
}

const unbounded: StoreSpace = { sizeBytes: 0, quotaBytes: 0, isFull: false };

/** Creates the filter of changes that go into the answer; undefined: all do. */
function wantedIn(start: ChangesStart): ((change: Change) => boolean) | undefined {
  if ('from' in start || start.only === undefined) return undefined;
  return ({ key }) => controlTypes.has(typePrefixFromKey(key));
}

async function answer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toStatusError(thrown);
  }
}

/** Creates the error for the caller: a malformed request is a bad request, an unexpected error an internal one. */
function toStatusError(thrown: unknown): unknown {
  if (isStorageError(thrown)) return statusErrorFromStorageError(thrown);
  return thrown instanceof MalformedRequest ? badRequest(thrown.message) : thrown;
}

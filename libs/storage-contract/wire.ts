import type {
  ListRequest,
  ListResponse,
  TransactRequest,
  TransactResponse,
  WatchEvent,
  WatchEventType,
  ChangeBatch as WireChangeBatch,
  Record as WireRecord,
} from '@binnacle/proto';
import { storageKeyFrom } from './keys.ts';
import type {
  Change,
  ChangeBatch,
  ListQuery,
  RecordPage,
  StorageRecord,
  Transaction,
  TransactionOutcome,
} from './storage.ts';

/** Returns bytes that keep no larger buffer alive: a copy of a view, otherwise the bytes themselves. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** Decodes a record. */
export function recordFromWire(record: WireRecord): StorageRecord {
  const { revision, stale } = record;
  return {
    key: storageKeyFrom(record.key),
    value: ownBytes(record.value),
    revision,
    ...(stale === true && { isStale: true }),
  };
}

/** Encodes a record. */
export function recordToWire({ key, value, revision, isStale }: StorageRecord): WireRecord {
  return isStale === true ? { key, value, revision, stale: true } : { key, value, revision };
}

/** Encodes a list query. */
export function listQueryToWire(query: ListQuery): ListRequest {
  const { prefix, startAfter = '', limit = 0, atRevision = 0 } = query;
  return { prefix, startAfter, limit, atRevision };
}

/** Decodes a list query. */
export function listQueryFromWire(request: ListRequest): ListQuery {
  return {
    prefix: storageKeyFrom(request.prefix),
    ...(request.startAfter === '' ? {} : { startAfter: storageKeyFrom(request.startAfter) }),
    ...(request.limit === 0 ? {} : { limit: request.limit }),
    ...(request.atRevision === 0 ? {} : { atRevision: request.atRevision }),
  };
}

/** Encodes a page. */
export function pageToWire(page: RecordPage): ListResponse {
  return { ...page, records: [...page.records] };
}

/** Decodes a page. */
export function pageFromWire(response: ListResponse): RecordPage {
  return { ...response, records: response.records.map(recordFromWire) };
}

/** Encodes a transaction. */
export function transactionToWire(transaction: Transaction): TransactRequest {
  const { preconditions, puts, deletes } = transaction;
  return { preconditions: [...preconditions], puts: [...puts], deletes: [...deletes] };
}

/** Decodes a transaction. */
export function transactionFromWire(request: TransactRequest): Transaction {
  return {
    preconditions: request.preconditions.map(({ key, revision }) => ({ key: storageKeyFrom(key), revision })),
    puts: request.puts.map(({ key, value }) => ({ key: storageKeyFrom(key), value })),
    deletes: request.deletes.map(storageKeyFrom),
  };
}

/** Encodes the outcome of a transaction. */
export function outcomeToWire(outcome: TransactionOutcome): TransactResponse {
  if (outcome.committed) return { committed: true, revision: outcome.revision, failedPrecondition: 0 };
  const { revision, failedPrecondition, current } = outcome;
  return {
    committed: false,
    revision,
    failedPrecondition,
    ...(current === undefined ? {} : { current: recordToWire(current) }),
  };
}

/** Decodes the outcome of a transaction. */
export function outcomeFromWire(response: TransactResponse): TransactionOutcome {
  const { committed, revision, failedPrecondition, current } = response;
  if (committed) return { committed, revision };
  return { committed, revision, failedPrecondition, current: current && recordFromWire(current) };
}

const eventTypeOf = { created: 'CREATED', updated: 'UPDATED', deleted: 'DELETED' } as const;

const changeTypeOf: { readonly [type in WatchEventType]: Change['type'] | undefined } = {
  CREATED: 'created',
  UPDATED: 'updated',
  DELETED: 'deleted',
  PROGRESS: undefined,
  RESET: undefined,
};

/** Publication of a change: the revision sent before it on the same stream or partition, and the time in ms since 1970. */
interface Publication {
  readonly previousRevision: number;
  readonly publishedAt: number;
}

/** Converts a change to an event of the change feed. */
export function watchEventFromChange(change: Change, publication: Publication): WatchEvent {
  const { isUnreadable, ...values } = change;
  const event = { ...values, ...publication, type: eventTypeOf[change.type] };
  return isUnreadable === true ? { ...event, unreadable: true } : event;
}

/** Converts an event of the change feed to its change; undefined for events without one. */
function changeFromWatchEvent(event: WatchEvent): Change | undefined {
  const type = changeTypeOf[event.type];
  if (type === undefined) return undefined;
  const { revision, committedAt, publishedAt, traceparent } = event;
  const value = ownBytes(event.value);
  const previousValue = ownBytes(event.previousValue);
  return {
    type,
    revision,
    key: storageKeyFrom(event.key),
    value,
    previousValue,
    committedAt,
    // Change records from before publication have no publishing time.
    ...(publishedAt > 0 && { publishedAt }),
    ...(event.unreadable === true && { isUnreadable: true }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Encodes a batch of changes; `publication.previousRevision` is the revision of the previous batch. */
export function changeBatchToWire(batch: ChangeBatch, publication: Publication): WireChangeBatch {
  let previousRevision = publication.previousRevision;
  const events = batch.changes.map(change => {
    const event = watchEventFromChange(change, { ...publication, previousRevision });
    previousRevision = change.revision;
    return event;
  });
  return { events, revision: batch.revision };
}

/** Decodes a batch of changes. */
export function changeBatchFromWire(batch: WireChangeBatch): ChangeBatch {
  const changes = batch.events.map(changeFromWatchEvent).filter(change => change !== undefined);
  return { changes, revision: batch.revision };
}

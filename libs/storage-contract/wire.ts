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

/** Bytes that keep nothing else alive: copied when they are a view of something larger, else the same. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** A record as read from the wire. */
export function recordFromWire(record: WireRecord): StorageRecord {
  return { key: storageKeyFrom(record.key), value: ownBytes(record.value), revision: record.revision };
}

/** A list query for the wire. */
export function listQueryToWire(query: ListQuery): ListRequest {
  const { prefix, startAfter = '', limit = 0, atRevision = 0 } = query;
  return { prefix, startAfter, limit, atRevision };
}

/** A list query as read from the wire. */
export function listQueryFromWire(request: ListRequest): ListQuery {
  return {
    prefix: storageKeyFrom(request.prefix),
    ...(request.startAfter === '' ? {} : { startAfter: storageKeyFrom(request.startAfter) }),
    ...(request.limit === 0 ? {} : { limit: request.limit }),
    ...(request.atRevision === 0 ? {} : { atRevision: request.atRevision }),
  };
}

/** A page for the wire. */
export function pageToWire(page: RecordPage): ListResponse {
  return { ...page, records: [...page.records] };
}

/** A page as read from the wire. */
export function pageFromWire(response: ListResponse): RecordPage {
  return { ...response, records: response.records.map(recordFromWire) };
}

/** A transaction for the wire. */
export function transactionToWire(transaction: Transaction): TransactRequest {
  const { preconditions, puts, deletes } = transaction;
  return { preconditions: [...preconditions], puts: [...puts], deletes: [...deletes] };
}

/** A transaction as read from the wire. */
export function transactionFromWire(request: TransactRequest): Transaction {
  return {
    preconditions: request.preconditions.map(({ key, revision }) => ({ key: storageKeyFrom(key), revision })),
    puts: request.puts.map(({ key, value }) => ({ key: storageKeyFrom(key), value })),
    deletes: request.deletes.map(storageKeyFrom),
  };
}

/** The outcome of a transaction for the wire. */
export function outcomeToWire(outcome: TransactionOutcome): TransactResponse {
  if (outcome.committed) return { committed: true, revision: outcome.revision, failedPrecondition: 0 };
  const { revision, failedPrecondition, current } = outcome;
  return { committed: false, revision, failedPrecondition, ...(current === undefined ? {} : { current }) };
}

/** The outcome of a transaction as read from the wire. */
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

/** Where and when a change goes out: the last revision sent on the same way before it, and the time. */
interface Publication {
  readonly previousRevision: number;
  readonly publishedAt: number;
}

/** A change as the event that travels in the change feed. */
export function watchEventFromChange(change: Change, publication: Publication): WatchEvent {
  return { ...change, ...publication, type: eventTypeOf[change.type] };
}

/** The change that an event of the change feed carries; undefined for events that carry none. */
function changeFromWatchEvent(event: WatchEvent): Change | undefined {
  const type = changeTypeOf[event.type];
  if (type === undefined) return undefined;
  const { revision, committedAt, publishedAt } = event;
  const value = ownBytes(event.value);
  const previousValue = ownBytes(event.previousValue);
  return {
    type,
    revision,
    key: storageKeyFrom(event.key),
    value,
    previousValue,
    committedAt,
    // Records of the time before it was sent have none.
    ...(publishedAt > 0 && { publishedAt }),
  };
}

/** A batch of changes for the wire; `previous` is the revision of the batch before it. */
export function changeBatchToWire(batch: ChangeBatch, publication: Publication): WireChangeBatch {
  let previousRevision = publication.previousRevision;
  const events = batch.changes.map(change => {
    const event = watchEventFromChange(change, { ...publication, previousRevision });
    previousRevision = change.revision;
    return event;
  });
  return { events, revision: batch.revision };
}

/** A batch of changes as read from the wire. */
export function changeBatchFromWire(batch: WireChangeBatch): ChangeBatch {
  const changes = batch.events.map(changeFromWatchEvent).filter(change => change !== undefined);
  return { changes, revision: batch.revision };
}

import {
  type BookmarkRecord,
  type EventRecord,
  type HistoryRecord,
  type ListRecord,
  placeKey,
  type QuotaRecord,
  type ReadRecord,
  type WatchEndRecord,
  type WatchRecord,
  type WriteRecord,
} from './records.ts';

/** The records of a history by their sort, each in the order of the file. */
export interface History {
  readonly writes: readonly WriteRecord[];
  readonly reads: readonly ReadRecord[];
  readonly lists: readonly ListRecord[];
  readonly events: readonly EventRecord[];
  readonly quotas: readonly QuotaRecord[];
  readonly watchers: ReadonlyMap<string, Watcher>;
  /** The writes of each object that has a name, by its key. */
  readonly writesOf: ReadonlyMap<string, readonly WriteRecord[]>;
  /** When all open watches had been given time; undefined where the history does not say. */
  readonly settledAt: number | undefined;
}

/** A client that follows a collection. */
export interface Watcher {
  readonly name: string;
  readonly resource: string;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Its watches, each going on where the client decided. */
  readonly segments: readonly WatchSegment[];
}

/** One watch request and its events. */
export interface WatchSegment {
  readonly watch: WatchRecord;
  readonly messages: readonly (EventRecord | BookmarkRecord)[];
  /** Undefined for a watch that was open to the end of the history. */
  readonly end: WatchEndRecord | undefined;
}

/** Sorts the records of a history. Throws a RangeError where records of a watcher are not in an order that can be. */
export function createHistory(records: readonly HistoryRecord[]): History {
  const writes: WriteRecord[] = [];
  const reads: ReadRecord[] = [];
  const lists: ListRecord[] = [];
  const events: EventRecord[] = [];
  const quotas: QuotaRecord[] = [];
  const watchers = new Map<string, GrowingWatcher>();
  let settledAt: number | undefined;
  for (const record of records) {
    if (record.kind === 'write') writes.push(record);
    else if (record.kind === 'read') reads.push(record);
    else if (record.kind === 'list') lists.push(record);
    else if (record.kind === 'quota') quotas.push(record);
    else if (record.kind === 'settled') settledAt = record.at;
    else if (record.kind !== 'fault') addToWatcher(watchers, record);
    if (record.kind === 'event') events.push(record);
  }
  const writesOf = groupBy(writes, ({ name, ...rest }) =>
    name === undefined ? undefined : placeKey({ ...rest, name }),
  );
  return { writes, reads, lists, events, quotas, watchers, writesOf, settledAt };
}

interface GrowingSegment {
  readonly watch: WatchRecord;
  readonly messages: (EventRecord | BookmarkRecord)[];
  end: WatchEndRecord | undefined;
}

interface GrowingWatcher extends Watcher {
  readonly segments: GrowingSegment[];
}

type WatcherRecord = WatchRecord | EventRecord | BookmarkRecord | WatchEndRecord;

function addToWatcher(watchers: Map<string, GrowingWatcher>, record: WatcherRecord): void {
  const known = watchers.get(record.watcher);
  const open = known?.segments.at(-1);
  if (record.kind === 'watch') {
    const { watcher: name, resource, namespace } = record;
    if (open && open.end === undefined) throw new RangeError(`the watcher ${name} has two watches at once`);
    if (known && (known.resource !== resource || known.namespace !== namespace))
      throw new RangeError(`the watcher ${name} follows two collections`);
    const segment: GrowingSegment = { watch: record, messages: [], end: undefined };
    if (known) known.segments.push(segment);
    else watchers.set(name, { name, resource, namespace, segments: [segment] });
    return;
  }
  if (open === undefined || open.end !== undefined)
    throw new RangeError(
      `the watcher ${record.watcher} has no watch open for a record of kind ${record.kind}`,
    );
  if (record.kind === 'watch-end') open.end = record;
  else open.messages.push(record);
}

/** Items by a key; those without one are left out. */
export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | undefined,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

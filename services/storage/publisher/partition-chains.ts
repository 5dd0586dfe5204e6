import type { WatchEvent } from '@binnacle/proto';
import {
  type Change,
  type ChangeBatch,
  partitionOf,
  type Revision,
  type StorageKey,
  typePrefixFromKey,
  watchEventFromChange,
} from '@binnacle/storage-contract';

/** A record for a partition of the topic. */
export interface PartitionRecord {
  readonly partition: number;
  /** The type whose events keep their order, for operators who inspect the topic; empty for records of no type. */
  readonly type: string;
  readonly event: WatchEvent;
}

/**
 * Milliseconds without a record after which a partition gets a progress note, for batches that `QuietNotes` accepts: less than the
 * interval of the store's own notes. A partition that is behind a note of the store gets one at once: readers that follow the store
 * while Kafka is away return as soon as every partition has caught up.
 */
const progressAfterMs = 900;

/** The most bytes of one revision in one partition, so that it fits into a batch of the topic with the changes before it. */
const maxRevisionBytes = 5_000_000;

/**
 * Creates the records of each partition from the changes of the store.
 *
 * Each record names the revision of the one before it in its partition, so that a reader detects a missing one. The chain depends on the
 * store's history alone, apart from progress records, which only name revisions up to which everything was sent. So two publishers that
 * write at once, each in order, neither show a reader a false gap nor hide a real one; the records that they write twice are not newer
 * than those that the reader has.
 */
export class PartitionChains {
  /** Revision of each partition up to which it was complete when this publisher began. */
  readonly #resumed: (Revision | undefined)[];
  readonly #last: (Revision | undefined)[];
  readonly #sentAt: number[];

  /** Continues the chains; `last` has the revision of each partition's last record, undefined for a partition without one. */
  constructor(last: readonly (Revision | undefined)[]) {
    this.#resumed = [...last];
    this.#last = [...last];
    this.#sentAt = last.map(() => Number.NEGATIVE_INFINITY);
  }

  /** Revision after which the store's changes are needed; undefined: from the start of its window. */
  get start(): Revision | undefined {
    let start: Revision | undefined = Number.POSITIVE_INFINITY;
    for (const last of this.#last) {
      if (last === undefined) return undefined;
      start = Math.min(start, last);
    }
    return start;
  }

  /** The newest revision in any partition; 0: there is none. */
  get end(): Revision {
    return Math.max(0, ...this.#last.map(last => last ?? 0));
  }

  /** Starts the chains of partitions without records at the revision at which the window starts. */
  beginAt(revision: Revision): void {
    for (const [partition, last] of this.#last.entries()) {
      if (last !== undefined) continue;
      this.#last[partition] = revision;
      this.#resumed[partition] = revision;
    }
  }

  /** Creates the records that break the chains and restart them after a revision. */
  reset(revision: Revision, now: number): PartitionRecord[] {
    return this.#last.map((_, partition) => {
      this.#resumed[partition] = revision;
      return this.#bare('RESET', { partition, revision, now });
    });
  }

  /** Creates the records for a batch of changes; `now` is in milliseconds since 1970. */
  recordsFor(batch: ChangeBatch, now: number): PartitionRecord[] {
    const records: PartitionRecord[] = [];
    for (const [partition, changes] of this.#newChanges(batch.changes)) {
      for (const group of groupByRevision(changes))
        records.push(...this.#createRecords(partition, group, now));
      const last = records.at(-1);
      if (last !== undefined && last.partition === partition && last.event.revision < batch.revision)
        records[records.length - 1] = { ...last, event: { ...last.event, reached: batch.revision } };
    }
    const written = this.#collectPartitions(batch.writtenTypes ?? []);
    const isNote = batch.changes.length === 0 && batch.writtenTypes === undefined;
    for (const [partition, last] of this.#last.entries()) {
      const isBehind = isNote && (last ?? 0) < batch.revision;
      const isDue = isBehind || now - (this.#sentAt[partition] ?? 0) >= progressAfterMs;
      const isWritten = written.has(partition) && !records.some(record => record.partition === partition);
      if ((isDue || isWritten) && batch.revision >= (last ?? 0)) {
        records.push(this.#bare('PROGRESS', { partition, revision: batch.revision, now }));
      }
    }
    return records;
  }

  #collectPartitions(types: readonly StorageKey[]): ReadonlySet<number> {
    return new Set(types.map(type => partitionOf(type, this.#last.length)));
  }

  #newChanges(changes: readonly Change[]): Map<number, Change[]> {
    const found = new Map<number, Change[]>();
    for (const change of changes) {
      const partition = partitionOf(typePrefixFromKey(change.key), this.#last.length);
      if (change.revision <= (this.#resumed[partition] ?? 0)) continue;
      const list = found.get(partition);
      if (list === undefined) found.set(partition, [change]);
      else list.push(change);
    }
    return found;
  }

  #createRecords(partition: number, changes: readonly Change[], now: number): PartitionRecord[] {
    const revision = changes[0]?.revision ?? 0;
    const bytes = changes.reduce((sum, change) => sum + change.value.length + change.previousValue.length, 0);
    // A revision is in the topic completely or not at all: the next publisher takes it for complete.
    if (bytes > maxRevisionBytes) return [this.#bare('RESET', { partition, revision, now })];
    return changes.map(change => {
      const event = watchEventFromChange(change, this.#link({ partition, revision, now }));
      return { partition, type: typePrefixFromKey(change.key).slice(1, -1), event };
    });
  }

  #bare(
    type: 'PROGRESS' | 'RESET',
    link: { readonly partition: number; readonly revision: Revision; readonly now: number },
  ): PartitionRecord {
    const { partition, revision, now } = link;
    const empty = new Uint8Array(0);
    const event = {
      type,
      revision,
      key: '',
      value: empty,
      previousValue: empty,
      committedAt: now,
      ...this.#link(link),
    };
    return { partition, type: '', event };
  }

  #link(link: { readonly partition: number; readonly revision: Revision; readonly now: number }) {
    const { partition, revision, now } = link;
    const previousRevision = this.#last[partition] ?? revision;
    this.#last[partition] = revision;
    this.#sentAt[partition] = now;
    return { previousRevision, publishedAt: now };
  }
}

function groupByRevision(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group?.[0]?.revision === change.revision) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

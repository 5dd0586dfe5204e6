import {
  type Change,
  type ChangeBatch,
  partitionOf,
  type Revision,
  type Storage,
  StorageError,
  type StorageKey,
  storageKeyFrom,
  typePrefixFromKey,
} from '@binnacle/storage-contract';
import type { ChangeFeed, FeedMessage } from '../contract/feed.ts';

const nothing = new Uint8Array(0);

/** A store whose changes a test writes and whose streams it can break. */
export class DrivenStore {
  readonly history: Change[] = [];
  revision: Revision = 0;
  /** Whether calls fail. */
  isAway = false;
  /** Whether streams are refused. */
  isFull = false;
  /** Whether streams are open but deliver nothing. */
  isSilent = false;
  /** Number of reads of the revision. */
  asked = 0;
  /** Starts of the opened streams. */
  readonly opened: string[] = [];
  #compacted: Revision = 0;
  #generation = 0;
  readonly #wakes = new Set<() => void>();

  readonly storage: Pick<Storage, 'changes' | 'typeRevision'> = {
    typeRevision: async () => {
      this.asked++;
      if (this.isAway) throw new StorageError('unavailable', 'away');
      return this.revision;
    },
    changes: (start, call) => this.#changes(start, call.signal),
  };

  /** Writes objects of the given types at one revision. */
  write(...types: string[]): Revision {
    this.revision++;
    for (const [index, type] of types.entries()) this.history.push(change(this.revision, type, index));
    this.wake();
    return this.revision;
  }

  /** Sends a progress note on every stream. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  compact(): void {
    this.#compacted = this.revision;
  }

  /** Forgets all writes after a revision. */
  setBack(revision: Revision): void {
    this.revision = revision;
    this.history.splice(this.history.findLastIndex(({ revision: its }) => its <= revision) + 1);
    this.breakStreams();
  }

  breakStreams(): void {
    this.#generation++;
    this.wake();
  }

  async *#changes(
    start: Parameters<Storage['changes']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<ChangeBatch> {
    const generation = this.#generation;
    if (this.isAway || this.isFull) throw new StorageError('unavailable', this.isFull ? 'full' : 'away');
    let last = 'after' in start ? start.after : this.#compacted;
    this.opened.push('after' in start ? `${start.only ?? 'all'} after ${last}` : 'window');
    if ('from' in start) yield { changes: [], revision: last };
    if (last < this.#compacted) throw new StorageError('compacted', 'compacted');
    if (last > this.revision) throw new StorageError('future-revision', 'future');
    let isWoken = true;
    const wait = Promise.withResolvers<void>();
    let resolve = wait.resolve;
    let { promise } = wait;
    const wake = (): void => {
      isWoken = true;
      resolve();
    };
    this.#wakes.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    try {
      for (;;) {
        if (!isWoken) await promise;
        ({ promise, resolve } = Promise.withResolvers<void>());
        isWoken = false;
        if (signal.aborted) return;
        if (generation !== this.#generation) throw new StorageError('unavailable', 'broken');
        if (this.isSilent) continue;
        const changes = this.history.filter(({ revision }) => revision > last);
        last = this.revision;
        yield { changes, revision: last };
      }
    } finally {
      this.#wakes.delete(wake);
    }
  }
}

function change(revision: Revision, type: string, index: number): Change {
  const key: StorageKey = storageKeyFrom(`${type}a/${revision}-${index}`);
  return { type: 'created', revision, key, value: nothing, previousValue: nothing, committedAt: 0 };
}

/** A topic that a test fills from a store, partition by partition. */
export class DrivenTopic implements ChangeFeed {
  readonly partitions: number;
  readonly #store: DrivenStore;
  readonly #opening = Promise.withResolvers<void>();
  #onMessage: ((message: FeedMessage) => void) | undefined;
  /** Revision up to which each partition was published. */
  readonly #last: Revision[];

  constructor(store: DrivenStore, partitions: number) {
    this.#store = store;
    this.partitions = partitions;
    this.#last = Array.from({ length: partitions }, () => store.revision);
  }

  partitionOf(prefix: string): number {
    return partitionOf(prefix, this.partitions);
  }

  async open(onMessage: (message: FeedMessage) => void): Promise<void> {
    await this.#opening.promise;
    this.#onMessage = onMessage;
  }

  /** Reads the history; set by a test. */
  readHistory: ChangeFeed['readHistory'] = async () => {};

  /** Makes the topic answer: later published changes are delivered. */
  answer(): void {
    this.#opening.resolve();
  }

  /** Publishes the changes of a partition up to a revision. */
  publish(partition: number, revision: Revision = this.#store.revision): void {
    const after = this.#last[partition] ?? 0;
    if (revision < after) return;
    this.#last[partition] = revision;
    const changes = this.#store.history
      .filter(({ revision: its }) => its > after && its <= revision)
      .filter(({ key }) => this.partitionOf(typePrefixFromKey(key)) === partition)
      .map(each => ({ ...each, publishedAt: 0 }));
    this.#onMessage?.({ kind: 'changes', partition, after, revision, changes });
  }

  publishAll(): void {
    for (let partition = 0; partition < this.partitions; partition++) this.publish(partition);
  }

  /** Continues at the current revision of the store and skips the changes before. */
  reset(): void {
    for (let partition = 0; partition < this.partitions; partition++) {
      this.#last[partition] = this.#store.revision;
      this.#onMessage?.({ kind: 'gap', partition });
    }
  }
}

/** Consumes a feed like a cache: asserts order and completeness, and records the changes. */
export class FeedObserver {
  /** Received keys in order, by partition. */
  readonly keys = new Map<number, string[]>();
  readonly gaps: number[] = [];
  repartitions = 0;
  #seen = new Map<number, Revision>();
  readonly #begin: Revision;

  /** Starts with lists as of a revision, which contain all changes up to it. */
  constructor(begin: Revision) {
    this.#begin = begin;
  }

  take(message: FeedMessage): void {
    if (message.kind === 'partitions') {
      this.repartitions++;
      const [control, others] = [0, 1].map(partition => this.#seen.get(partition));
      this.#seen = new Map();
      if (control !== undefined) this.#seen.set(0, control);
      for (let i = 1; i < 64 && others !== undefined; i++) this.#seen.set(i, others);
      return;
    }
    const { partition } = message;
    if (message.kind === 'gap') {
      this.gaps.push(partition);
      this.#seen.delete(partition);
      return;
    }
    const seen = this.#seen.get(partition);
    if (message.after > (seen ?? Number.POSITIVE_INFINITY))
      throw new Error(`partition ${partition} has a hole from ${seen} to ${message.after}`);
    let last = seen ?? message.after;
    for (const { revision, key } of message.changes) {
      if (revision < last && seen === undefined) throw new Error('out of order');
      if (revision <= (seen ?? this.#begin)) continue;
      if (revision < last) throw new Error(`revision ${revision} came after ${last}`);
      last = revision;
      const list = this.keys.get(partition) ?? [];
      list.push(key);
      this.keys.set(partition, list);
    }
    this.#seen.set(partition, Math.max(seen ?? 0, message.revision));
  }

  /** All received keys, in revision order. */
  all(): string[] {
    const number = (key: string): number => Number(key.split('/').at(-1)?.split('-')[0]);
    return [...this.keys.values()].flat().toSorted((a, b) => number(a) - number(b) || (a < b ? -1 : 1));
  }
}

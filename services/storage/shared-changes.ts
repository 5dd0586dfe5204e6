import { type CallContext, noDeadline } from '@binnacle/proto';
import {
  type Change,
  type ChangeBatch,
  type ChangesStart,
  type Revision,
  type Storage,
  StorageError,
} from '@binnacle/storage-contract';

/** Bytes of changes that are buffered for followers slightly behind. */
const defaultMostBytes = 8_000_000;

/** Bytes that a batch counts besides its changes, so that the number of progress notes is bounded too. */
const batchBytes = 1_000;

/**
 * The changes of a store for any number of followers, which share one stream of the store.
 *
 * The shared stream is read as fast as the store sends, and its latest batches are buffered, in a bounded number of bytes. Each follower
 * reads them at its own pace. A follower outside the buffer, because it begins at another revision or was too slow, has a stream of its
 * own until it reaches the buffer. Changes are in order and complete either way: a batch holds whole revisions, and changes that a
 * follower has already are left out. The shared stream begins with the first follower, at its revision, and ends with the last; when
 * it fails, its followers fail.
 */
export class SharedChanges {
  readonly #source: Pick<Storage, 'changes'>;
  readonly #mostBytes: number;
  #shared: SharedStream | undefined;
  #followers = 0;

  constructor(source: Pick<Storage, 'changes'>, mostBytes = defaultMostBytes) {
    this.#source = source;
    this.#mostBytes = mostBytes;
  }

  /** Yields changes: see `Storage.changes`. */
  async *changes(start: ChangesStart, call: CallContext): AsyncIterable<ChangeBatch> {
    if ('from' in start) {
      yield* this.#source.changes(start, call);
      return;
    }
    const { signal } = call;
    let { after } = start;
    this.#followers++;
    try {
      while (!signal.aborted) {
        const shared = this.#sharedAt(after);
        if (shared.reaches(after)) {
          for await (const batch of shared.follow(after, signal)) {
            after = batch.revision;
            yield batch;
          }
        } else {
          for await (const batch of this.#source.changes({ ...start, after }, call)) {
            after = batch.revision;
            yield batch;
            if (this.#sharedAt(after).reaches(after)) break;
          }
        }
      }
    } finally {
      this.#followers--;
      if (this.#followers === 0) this.#shared?.stop();
    }
  }

  /** Returns the shared stream; starts one at a revision where there is none. */
  #sharedAt(after: Revision): SharedStream {
    if (this.#shared === undefined || this.#shared.isOver) {
      this.#shared = new SharedStream(after, this.#mostBytes);
      void this.#shared.run(this.#source); // Never rejects.
    }
    return this.#shared;
  }
}

interface KeptBatch {
  readonly batch: ChangeBatch;
  readonly bytes: number;
}

/** One stream of the store, with a buffer of its latest batches. */
class SharedStream {
  readonly #mostBytes: number;
  readonly #stop = new AbortController();
  readonly #kept = new Map<number, KeptBatch>();
  readonly #wakes = new Set<() => void>();
  #bytes = 0;
  /** Number of the first buffered batch, and of the next one. */
  #first = 0;
  #next = 0;
  /** Every change after `#from` and up to `#upTo` is buffered. */
  #from: Revision;
  #upTo: Revision;
  #failure: unknown;

  constructor(after: Revision, mostBytes: number) {
    this.#from = after;
    this.#upTo = after;
    this.#mostBytes = mostBytes;
  }

  get isOver(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether the changes after a revision are buffered, or come next. */
  reaches(after: Revision): boolean {
    return !this.isOver && after >= this.#from && after <= this.#upTo;
  }

  stop(): void {
    this.#end(new StorageError('unavailable', 'the shared stream of changes was stopped'));
    this.#stop.abort();
  }

  async run(source: Pick<Storage, 'changes'>): Promise<void> {
    const call = { signal: this.#stop.signal, deadline: noDeadline };
    try {
      for await (const batch of source.changes({ after: this.#upTo }, call)) {
        if (this.isOver) return;
        this.#add(batch);
      }
      this.#end(new StorageError('unavailable', 'the stream of changes ended'));
    } catch (thrown) {
      this.#end(thrown);
    }
  }

  /**
   * Yields the changes after a revision that the stream reaches; ends when the signal aborts, and for a follower that was too
   * slow.
   */
  async *follow(after: Revision, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    let number = this.#numberAfter(after);
    while (!signal.aborted && number >= this.#first) {
      const kept = this.#kept.get(number);
      if (kept !== undefined) {
        number++;
        yield changesAfter(kept.batch, after);
      } else if (this.isOver) throw this.#failure;
      else await this.#more(signal);
    }
  }

  #add(batch: ChangeBatch): void {
    const bytes = batch.changes.reduce((sum, change) => sum + countBytes(change), batchBytes);
    this.#kept.set(this.#next++, { batch, bytes });
    this.#bytes += bytes;
    this.#upTo = batch.revision;
    while (this.#bytes > this.#mostBytes && this.#kept.size > 1) {
      const oldest = this.#kept.get(this.#first);
      this.#kept.delete(this.#first++);
      this.#bytes -= oldest?.bytes ?? 0;
      this.#from = oldest?.batch.revision ?? this.#from;
    }
    this.#wakeAll();
  }

  #end(failure: unknown): void {
    this.#failure ??= failure;
    this.#wakeAll();
  }

  #numberAfter(after: Revision): number {
    for (const [number, { batch }] of this.#kept) if (batch.revision > after) return number;
    return this.#next;
  }

  #wakeAll(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  #more(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      this.#wakes.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    this.#wakes.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    return promise;
  }
}

function countBytes({ key, value, previousValue }: Change): number {
  return key.length + value.length + previousValue.length;
}

/** Returns a batch without the changes up to a revision. */
function changesAfter(batch: ChangeBatch, after: Revision): ChangeBatch {
  const [first] = batch.changes;
  if (first === undefined || first.revision > after) return batch;
  return { ...batch, changes: batch.changes.filter(({ revision }) => revision > after) };
}

import type { Backoff } from '@binnacle/event-loop';
import { type CallContext, deadlineIn, noDeadline } from '@binnacle/proto';
import {
  type ChangeBatch,
  type ChangesStart,
  isStorageError,
  type Revision,
  type Storage,
} from '@binnacle/storage-contract';
import { FailureLog } from '@binnacle/telemetry';
import { silentLog, systemClock, type WatchCacheClock, type WatchCacheLog } from '../contract/environment.ts';
import type { ChangeFeed, FeedChange, HistoryReceiver, PartitionMessage } from '../contract/feed.ts';
import { createRetryBackoff } from './retry-backoff.ts';

/** Options of a direct feed. */
interface DirectFeedOptions {
  readonly storage: Pick<Storage, 'changes' | 'typeRevision'>;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** Returns a random number in [0, 1) for jitter; default: Math.random. */
  readonly random?: () => number;
}

const revisionDeadlineMs = 5000;
/** Storage sends a progress note every 2 s: a stream that is silent for this long is dead. */
const silenceMs = 5_000;
/** Batches that are already available are processed for this long before the feed yields to the event loop. */
const turnMs = 8;

/** Creates a feed that reads changes directly from storage: one partition for all types. */
export function createDirectFeed(options: DirectFeedOptions): ChangeFeed {
  return {
    partitions: 1,
    partitionOf: () => 0,
    async open(onMessage, signal) {
      const reader = new DirectReader(options, onMessage, signal);
      const end = await reader.storeRevision();
      void reader.run(end); // Never rejects.
    },
    async readHistory(receiverOf, signal) {
      const receiver = receiverOf(0);
      if (!receiver.isWanted) return;
      await new DirectReader(options, () => {}, signal).readHistory(receiver);
    },
  };
}

/** Reads all changes of storage as one partition. */
export class DirectReader {
  readonly #options: DirectFeedOptions;
  readonly #clock: WatchCacheClock;
  readonly #log: WatchCacheLog;
  readonly #onMessage: (message: PartitionMessage) => void;
  readonly #signal: AbortSignal;
  readonly #backoff: Backoff;
  readonly #failures: FailureLog;

  constructor(
    options: DirectFeedOptions,
    onMessage: (message: PartitionMessage) => void,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#onMessage = onMessage;
    this.#signal = signal;
    this.#backoff = createRetryBackoff(this.#clock, options.random);
    this.#failures = new FailureLog({
      log: this.#log,
      failed: 'the change feed cannot be read, retrying',
      worked: 'the change feed was read after failures',
    });
  }

  /** Returns the store's revision, retrying until storage answers. Rejects when the feed is stopped. */
  async storeRevision(): Promise<Revision> {
    for (;;) {
      this.#signal.throwIfAborted();
      const call: CallContext = {
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(revisionDeadlineMs)]),
        deadline: deadlineIn(revisionDeadlineMs),
      };
      try {
        const revision = await this.#options.storage.typeRevision(undefined, call);
        this.#backoff.reset();
        return revision;
      } catch (thrown) {
        this.#signal.throwIfAborted();
        this.#failures.failed(thrown);
        await this.#backoff.wait(this.#signal);
      }
    }
  }

  /** Reads one piece: the whole history window, or the last `revisions` revisions before `joinsAt` if that is shorter. */
  async readHistory(receiver: HistoryReceiver, revisions = Number.POSITIVE_INFINITY): Promise<void> {
    const { joinsAt } = receiver;
    let isShort = joinsAt > revisions;
    for (;;) {
      let after = isShort ? joinsAt - revisions : undefined;
      let upTo: Revision = 0;
      try {
        await this.#follow(after === undefined ? { from: 'window-start' } : { after }, batch => {
          after ??= batch.revision;
          upTo = batch.revision;
          receiver.receive(feedChanges(batch));
          return upTo < joinsAt;
        });
        this.#signal.throwIfAborted();
        if (after !== undefined && upTo >= joinsAt) return await receiver.join(after, upTo);
      } catch (thrown) {
        this.#signal.throwIfAborted();
        if (isShort && isStorageError(thrown, 'compacted')) isShort = false;
        else this.#failures.failed(thrown);
      }
      receiver.discard();
      await this.#backoff.wait(this.#signal);
    }
  }

  /** Follows the changes after a revision until the signal aborts. Never rejects. */
  async run(end: Revision): Promise<void> {
    let last = end;
    while (!this.#signal.aborted) {
      try {
        await this.#follow({ after: last }, batch => {
          const { revision } = batch;
          this.#onMessage({
            kind: 'changes',
            partition: 0,
            after: last,
            revision,
            changes: feedChanges(batch),
          });
          last = revision;
          this.#backoff.reset();
          this.#failures.worked();
          return true;
        });
      } catch (thrown) {
        if (this.#signal.aborted) return;
        if (isStorageError(thrown, 'compacted') || isStorageError(thrown, 'future-revision')) {
          const isSetBack = isStorageError(thrown, 'future-revision');
          const next = await this.#announceGap(last, isSetBack).catch(() => undefined);
          if (next === undefined) return; // The feed was stopped.
          last = next;
        } else {
          this.#failures.failed(thrown);
        }
      }
      await this.#backoff.wait(this.#signal);
    }
  }

  /** Announces a gap: types are listed again at a later revision than the returned one, from which the feed continues. */
  async #announceGap(last: Revision, isSetBack: boolean): Promise<Revision> {
    this.#log.warn('store history too short to resume the change feed', { revision: last });
    const end = await this.storeRevision();
    this.#onMessage({ kind: 'gap', partition: 0, after: end, isSetBack });
    return end;
  }

  /** Reads a stream until the signal aborts, the stream is silent, or `take` returns false. */
  async #follow(start: ChangesStart, take: (batch: ChangeBatch) => boolean): Promise<void> {
    const stream = new AbortController();
    const signal = AbortSignal.any([this.#signal, stream.signal]);
    const silence = () => stream.abort(new Error('no progress note within its time'));
    let cancel = this.#clock.after(silenceMs, silence);
    let turn = performance.now();
    try {
      const call: CallContext = { signal, deadline: noDeadline };
      for await (const batch of this.#options.storage.changes(start, call)) {
        if (signal.aborted) return;
        cancel();
        cancel = this.#clock.after(silenceMs, silence);
        if (!take(batch)) return;
        if (performance.now() - turn < turnMs) continue;
        await new Promise(resolve => setImmediate(resolve));
        turn = performance.now();
      }
      if (stream.signal.aborted) this.#log.warn('change stream is silent, reopening');
    } finally {
      cancel();
      stream.abort();
    }
  }
}

/** Within one process changes are published when they are committed. */
function feedChanges({ changes }: Pick<ChangeBatch, 'changes'>): FeedChange[] {
  return changes.map(change => ({ ...change, publishedAt: change.publishedAt ?? change.committedAt }));
}

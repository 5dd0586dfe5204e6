import type { BackendRefusal } from '@binnacle/backend-access';
import {
  type FetchedPartition,
  OffsetOutOfRange,
  type RecordOpener,
  type RecordRefusal,
  RefusalStatus,
  type TopicReader,
} from '@binnacle/kafka';
import { type WatchEvent, watchEventCodec } from '@binnacle/proto';
import { BackOff, REFUSED_LONGEST_MS } from '../../back-off.ts';
import type { WatchCacheClock, WatchCacheLog } from '../../environment.ts';
import type { FeedMessage } from '../../feed.ts';
import { PartitionChain } from './partition-chain.ts';
import { RefusedRecords } from './refused-records.ts';

/** What a follower needs. */
export interface KafkaFollowerOptions {
  connect(): Promise<TopicReader>;
  readonly opener: RecordOpener;
  readonly onRefusedRecord: (reason: RecordRefusal) => void;
  readonly historyWindowMs: number;
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly random: () => number;
  readonly onMessage: (message: FeedMessage) => void;
  readonly signal: AbortSignal;
}

/** Follows all partitions of a topic: one loop a leading broker, and a new reader after every error. */
export class KafkaFollower {
  readonly #options: KafkaFollowerOptions;
  readonly #backOff: BackOff;
  readonly #offsets = new Map<number, bigint>();
  readonly #chains = new Map<number, PartitionChain>();
  /** Partitions whose place is not in the topic any more: they go on at its first record. */
  readonly #lost = new Set<number>();
  readonly #refusal: RefusalStatus;
  readonly #refusedRecords: RefusedRecords;
  #reader: TopicReader | undefined;

  constructor(options: KafkaFollowerOptions) {
    this.#options = options;
    this.#backOff = new BackOff(options.clock, options.random);
    this.#refusal = new RefusalStatus(options.log);
    this.#refusedRecords = new RefusedRecords(options);
  }

  /** Why the feed cannot be followed although Kafka answers. */
  get refusal(): BackendRefusal | undefined {
    return this.#refusal.current ?? this.#refusedRecords.refusal;
  }

  /**
   * Finds the ends of the partitions, then the places where to begin; however long it takes. Gives the number of
   * partitions. Rejects when the feed is stopped.
   */
  async start(): Promise<number> {
    const { connect, signal, clock, historyWindowMs } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      try {
        this.#reader = await connect();
        const ends = await this.#reader.offsets('end');
        const starts = await this.#reader.offsets({ since: clock.now() - historyWindowMs });
        for (const [partition, end] of ends) {
          const start = starts.get(partition) ?? -1n;
          // No record is as young as that: the partition begins at its end.
          this.#offsets.set(partition, start < 0n || start > end ? end : start);
          this.#chains.set(partition, new PartitionChain(partition));
        }
        this.#backOff.reset();
        return ends.size;
      } catch (thrown) {
        await this.#closeReader();
        signal.throwIfAborted();
        await this.#waitAfter(thrown);
      }
    }
  }

  /** Follows until the signal aborts. */
  async run(): Promise<void> {
    const { connect, signal } = this.#options;
    const close = () => void this.#closeReader();
    signal.addEventListener('abort', close, { once: true });
    while (!signal.aborted) {
      try {
        this.#reader ??= await connect();
        await this.#recoverLost(this.#reader);
        await this.#follow(this.#reader);
      } catch (thrown) {
        if (signal.aborted) break;
        await this.#closeReader();
        await this.#waitAfter(thrown);
      }
    }
    await this.#closeReader();
  }

  async #waitAfter(thrown: unknown): Promise<void> {
    const { log, signal } = this.#options;
    if (this.#refusal.failed(thrown)) return this.#backOff.wait(signal, REFUSED_LONGEST_MS);
    if (thrown instanceof OffsetOutOfRange) this.#lost.add(thrown.partition);
    else log.warn('the change feed cannot be read, retrying', { error: String(thrown) });
    return this.#backOff.wait(signal);
  }

  /** Follows every leader until one of them fails. */
  async #follow(reader: TopicReader): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stop.signal]);
    const loops = [...reader.leaders].map(async ([leader, partitions]) => {
      try {
        await this.#followLeader(reader, { leader, partitions, signal });
      } finally {
        stop.abort();
      }
    });
    const outcomes = await Promise.allSettled(loops);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #followLeader(
    reader: TopicReader,
    part: { readonly leader: string; readonly partitions: readonly number[]; readonly signal: AbortSignal },
  ): Promise<void> {
    while (!part.signal.aborted) {
      const offsets = new Map<number, bigint>();
      for (const partition of part.partitions) {
        // Partitions that were added since the start carry no type of this feed.
        const offset = this.#offsets.get(partition);
        if (offset !== undefined) offsets.set(partition, offset);
      }
      if (offsets.size === 0) return;
      const fetched = await reader.fetch(part.leader, offsets);
      if (part.signal.aborted) return;
      this.#backOff.reset();
      this.#refusal.worked();
      for (const each of fetched) this.#take(each);
    }
  }

  #take({ partition, records }: FetchedPartition): void {
    const last = records.at(-1);
    const chain = this.#chains.get(partition);
    if (last === undefined || chain === undefined) return;
    this.#offsets.set(partition, last.offset + 1n);
    for (const message of this.#read(chain, partition, records)) this.#options.onMessage(message);
  }

  #read(
    chain: PartitionChain,
    partition: number,
    records: FetchedPartition['records'],
  ): readonly FeedMessage[] {
    const messages: FeedMessage[] = [];
    try {
      let events: WatchEvent[] = [];
      for (const record of records) {
        const opened = this.#options.opener.open(partition, record);
        if (opened.kind === 'refused') {
          this.#refusedRecords.refused(partition, record.offset, opened.reason);
          continue;
        }
        if (!opened.follows) {
          messages.push(...chain.take(events), chain.reset());
          events = [];
        }
        events.push(watchEventCodec.decode(opened.value));
        this.#refusedRecords.opened(partition);
      }
      messages.push(...chain.take(events));
    } catch (thrown) {
      this.#options.log.error('records of the change feed cannot be read', { error: String(thrown) });
      messages.push(chain.reset());
    }
    return messages;
  }

  /** Records that were not read are gone: their partitions go on at the first record, behind a gap. */
  async #recoverLost(reader: TopicReader): Promise<void> {
    if (this.#lost.size === 0) return;
    const earliest = await reader.offsets('earliest');
    for (const partition of this.#lost) {
      const offset = earliest.get(partition);
      const chain = this.#chains.get(partition);
      if (offset === undefined || chain === undefined) continue;
      this.#options.log.warn('the place in the change feed is gone', { partition });
      this.#offsets.set(partition, offset);
      this.#options.onMessage(chain.reset());
      this.#lost.delete(partition);
    }
  }

  async #closeReader(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    try {
      await reader?.[Symbol.asyncDispose]();
    } catch {
      // A connection that is broken already may not close well.
    }
  }
}

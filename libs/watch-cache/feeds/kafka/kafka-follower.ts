import type { BackendRefusal } from '@binnacle/backend-access';
import type { Backoff } from '@binnacle/event-loop';
import {
  type FetchedPartition,
  FetchPace,
  OffsetOutOfRange,
  type RecordOpener,
  type RecordRefusal,
  RefusalStatus,
  type TopicReader,
} from '@binnacle/kafka';
import type { WatchEvent } from '@binnacle/proto';
import { decodeFeedRecord } from '@binnacle/storage-contract';
import { FailureLog } from '@binnacle/telemetry';
import type { WatchCacheClock, WatchCacheLog } from '../../contract/environment.ts';
import type { PartitionMessage } from '../../contract/feed.ts';
import { createRetryBackoff, refusedLongestMs } from '../retry-backoff.ts';
import { PartitionChain } from './partition-chain.ts';
import { RefusedRecords } from './refused-records.ts';

/** Longest pause in ms between attempts while Kafka is away, so that the follower reconnects quickly. */
const awayLongestMs = 700;

/** Options of a Kafka follower. */
export interface KafkaFollowerOptions {
  connect(): Promise<TopicReader>;
  readonly opener: RecordOpener;
  readonly onRefusedRecord: (reason: RecordRefusal) => void;
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly random: () => number;
  /** Whether a partition is read; `partitions` is their number. */
  readonly isFollowed: (partition: number, partitions: number) => boolean;
  readonly onMessage: (message: PartitionMessage) => void;
  readonly signal: AbortSignal;
}

/** Follows a topic: one fetch loop for each leading broker, and a new reader after every error. */
export class KafkaFollower {
  readonly #options: KafkaFollowerOptions;
  readonly #backoff: Backoff;
  readonly #offsets = new Map<number, bigint>();
  readonly #chains = new Map<number, PartitionChain>();
  /** Partitions whose offset is no longer in the topic: they continue at its first record. */
  readonly #lost = new Set<number>();
  readonly #refusal: RefusalStatus;
  readonly #refusedRecords: RefusedRecords;
  readonly #failures: FailureLog;
  #reader: TopicReader | undefined;
  readonly #pace: FetchPace;

  constructor(options: KafkaFollowerOptions) {
    this.#options = options;
    this.#backoff = createRetryBackoff(options.clock, options.random);
    this.#pace = new FetchPace(options.clock);
    this.#refusal = new RefusalStatus(options.log);
    this.#refusedRecords = new RefusedRecords(options);
    this.#failures = new FailureLog({
      log: options.log,
      failed: 'the change feed cannot be read, retrying',
      worked: 'the change feed was read after failures',
    });
  }

  /** Reason why the feed cannot be followed although Kafka answers. */
  get refusal(): BackendRefusal | undefined {
    return this.#refusal.current ?? this.#refusedRecords.refusal;
  }

  /**
   * Finds the end offsets of the partitions, where the feed starts, retrying without limit. Returns the number of partitions.
   * Rejects when the feed is stopped.
   */
  async start(): Promise<number> {
    const { connect, signal, isFollowed } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      try {
        this.#reader = await connect();
        const ends = await this.#reader.offsets('end');
        for (const [partition, end] of ends) {
          if (!isFollowed(partition, ends.size)) continue;
          this.#offsets.set(partition, end);
          this.#chains.set(partition, new PartitionChain(partition));
        }
        this.#backoff.reset();
        return ends.size;
      } catch (thrown) {
        await this.#closeReader();
        signal.throwIfAborted();
        await this.#waitAfter(thrown);
      }
    }
  }

  /** Follows the topic until the signal aborts. Never rejects. */
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

  /** Disables throttling between fetches until the result is disposed of. */
  expedite(): Disposable {
    return this.#pace.expedite();
  }

  /** Throttles the loops for `milliseconds` after their next fetch: see `ChangeFeed.throttle`. */
  throttleFor(milliseconds: number): void {
    this.#pace.throttleFor(milliseconds);
  }

  /** See `ChangeFeed.setWatched`. */
  setWatched(isWatched: boolean): void {
    this.#pace.setWatched(isWatched);
  }

  async #waitAfter(thrown: unknown): Promise<void> {
    const { signal } = this.#options;
    if (this.#refusal.failed(thrown)) return this.#backoff.wait(signal, refusedLongestMs);
    if (thrown instanceof OffsetOutOfRange) this.#lost.add(thrown.partition);
    else this.#failures.failed(thrown);
    return this.#backoff.wait(signal, awayLongestMs);
  }

  /** Follows every leader until one fails, which ends the fetches of the others. */
  async #follow(reader: TopicReader): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stop.signal]);
    const failures: unknown[] = [];
    const loops = this.#followedLeaders(reader).map(async ([leader, partitions]) => {
      try {
        await this.#followLeader(reader, { leader, partitions, signal });
      } catch (thrown) {
        failures.push(thrown);
      }
      stop.abort();
      await this.#closeReader();
    });
    await Promise.all(loops);
    if (failures.length > 0) throw failures[0];
  }

  /** Leaders with their followed partitions. Partitions added since the start carry no type of this feed. */
  #followedLeaders(reader: TopicReader): [string, number[]][] {
    const all = [...reader.leaders].map(([leader, partitions]): [string, number[]] => [
      leader,
      partitions.filter(partition => this.#offsets.has(partition)),
    ]);
    return all.filter(([, partitions]) => partitions.length > 0);
  }

  async #followLeader(
    reader: TopicReader,
    part: { readonly leader: string; readonly partitions: readonly number[]; readonly signal: AbortSignal },
  ): Promise<void> {
    const throttle = this.#pace.beginLoop(part.signal);
    while (!part.signal.aborted) {
      const offsets = new Map(
        part.partitions.map(partition => [partition, this.#offsets.get(partition) ?? 0n]),
      );
      const fetched = await reader.fetch(part.leader, offsets);
      if (part.signal.aborted) return;
      this.#backoff.reset();
      this.#refusal.worked();
      this.#failures.worked();
      for (const each of fetched) this.#take(each);
      await throttle(countBytes(fetched));
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
  ): readonly PartitionMessage[] {
    const messages: PartitionMessage[] = [];
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
        events.push(...decodeFeedRecord(opened.value));
        this.#refusedRecords.opened(partition);
      }
      messages.push(...chain.take(events));
    } catch (thrown) {
      this.#options.log.error('cannot read change feed records', { error: String(thrown) });
      messages.push(chain.reset());
    }
    return messages;
  }

  /** Skips deleted records: the partitions continue at their first record, after a gap. */
  async #recoverLost(reader: TopicReader): Promise<void> {
    if (this.#lost.size === 0) return;
    const earliest = await reader.offsets('earliest');
    for (const partition of this.#lost) {
      const offset = earliest.get(partition);
      const chain = this.#chains.get(partition);
      if (offset === undefined || chain === undefined) continue;
      this.#options.log.warn('change feed offset is gone', { partition });
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
      // Closing a broken connection may fail.
    }
  }
}

function countBytes(fetched: readonly FetchedPartition[]): number {
  let bytes = 0;
  for (const { records } of fetched) for (const { value } of records) bytes += value.length;
  return bytes;
}

import { randomBytes } from 'node:crypto';
import { type FetchedPartition, RecordOpener, type TopicReader, unencryptedFeed } from '@binnacle/kafka';
import type { WatchEvent, WatchEventType } from '@binnacle/proto';
import { encodeFeedRecord } from '@binnacle/storage-contract';
import { silentLog } from '../contract/environment.ts';
import type { PartitionMessage } from '../contract/feed.ts';
import { KafkaFollower, type KafkaFollowerOptions } from '../feeds/kafka/kafka-follower.ts';
import { ManualClock } from './cache-under-test.ts';

const maxWaitMs = 3000;

/** A topic with one broker that a test fills, on a clock that the test advances. */
export class ScriptedTopic {
  readonly clock = new ManualClock();
  /** Partitions of each fetch. */
  readonly fetches: number[][] = [];
  readonly #partitions: { readonly value: Buffer; readonly at: number }[][];
  readonly #last: number[];
  readonly #polls = new Set<() => void>();
  #revision = 0;

  constructor(partitions: number) {
    this.#partitions = Array.from({ length: partitions }, () => []);
    this.#last = this.#partitions.map(() => 0);
  }

  /** Appends the record of a change with a value of `bytes` bytes. */
  append(partition: number, bytes = 10): void {
    this.#append('CREATED', partition, bytes);
  }

  /** Removes the last record of a partition. */
  lose(partition: number): void {
    this.#partitions[partition]?.pop();
  }

  /** Appends a RESET record to every partition, like a publisher that cannot continue at the end of the topic. */
  reset(): void {
    for (const partition of this.#partitions.keys()) this.#append('RESET', partition, 0);
  }

  #append(type: WatchEventType, partition: number, bytes: number): void {
    const revision = ++this.#revision;
    const event: WatchEvent = {
      type,
      revision,
      previousRevision: this.#last[partition] ?? 0,
      key: `/core/configmaps/a/${revision}`,
      value: randomBytes(bytes),
      previousValue: new Uint8Array(0),
      committedAt: 0,
      publishedAt: 0,
    };
    this.#last[partition] = revision;
    const value = Buffer.from(encodeFeedRecord('', [event]));
    this.#partitions[partition]?.push({ value, at: this.clock.now() });
    for (const poll of this.#polls) poll();
  }

  /** Creates a reader of all partitions. */
  connect(): TopicReader {
    const offsets: TopicReader['offsets'] = async at =>
      new Map(this.#partitions.map((_, partition) => [partition, BigInt(this.#offset(partition, at))]));
    return {
      leaders: new Map([['1', [...this.#partitions.keys()]]]),
      offsets,
      fetch: (_leader, from) => this.#fetch(from),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  #offset(partition: number, at: Parameters<TopicReader['offsets']>[0]): number {
    if (at === 'end') return this.#size(partition);
    if (at === 'earliest') return 0;
    return this.#partitions[partition]?.findIndex(record => record.at >= at.since) ?? -1;
  }

  async #fetch(from: ReadonlyMap<number, bigint>): Promise<FetchedPartition[]> {
    this.fetches.push([...from.keys()]);
    const isEmpty = () => [...from].every(([partition, offset]) => offset >= this.#size(partition));
    if (isEmpty()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = this.clock.after(maxWaitMs, resolve);
      const poll = () => {
        if (!isEmpty()) resolve();
      };
      this.#polls.add(poll);
      await promise;
      this.#polls.delete(poll);
      cancel();
    }
    return [...from].map(([partition, offset]) => ({ partition, records: this.#records(partition, offset) }));
  }

  #size(partition: number): number {
    return this.#partitions[partition]?.length ?? 0;
  }

  #records(partition: number, from: bigint): FetchedPartition['records'] {
    const records = this.#partitions[partition]?.slice(Number(from)) ?? [];
    return records.map(({ value }, index) => ({
      offset: from + BigInt(index),
      key: null,
      value,
      encryptionHeader: undefined,
    }));
  }
}

/** A follower of a scripted topic, and its messages. */
interface FollowedTopic extends Disposable {
  readonly follower: KafkaFollower;
  readonly messages: readonly PartitionMessage[];
  /** Advances the clock in steps of 1 ms; `each` is called in every step. */
  pass(milliseconds: number, each?: () => void): Promise<void>;
}

/** Starts a follower of a scripted topic. */
export async function followTopic(
  topic: ScriptedTopic,
  isFollowed: KafkaFollowerOptions['isFollowed'] = () => true,
): Promise<FollowedTopic> {
  const stop = new AbortController();
  const messages: PartitionMessage[] = [];
  const follower = new KafkaFollower({
    connect: async () => topic.connect(),
    opener: new RecordOpener(unencryptedFeed, 'changes'),
    onRefusedRecord() {},
    clock: topic.clock,
    log: silentLog,
    random: () => 0.5,
    isFollowed,
    onMessage: message => messages.push(message),
    signal: stop.signal,
  });
  await follower.start();
  void follower.run();
  const turn = () => new Promise(resolve => setImmediate(resolve));
  await turn();
  return {
    follower,
    messages,
    async pass(milliseconds, each) {
      for (let passed = 0; passed < milliseconds; passed++) {
        each?.();
        await turn();
        topic.clock.advance(1);
        await turn();
      }
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

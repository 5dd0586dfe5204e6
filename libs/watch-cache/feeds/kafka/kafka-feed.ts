import { connectTopicReader, type KafkaConnection } from '@binnacle/kafka';
import { partitionOf } from '@binnacle/storage-contract';
import { silentLog, systemClock, type WatchCacheClock, type WatchCacheLog } from '../../environment.ts';
import type { ChangeFeed } from '../../feed.ts';
import { KafkaFollower } from './kafka-follower.ts';

/** What a Kafka feed needs. */
export interface KafkaFeedOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** How far back the feed starts, in ms; default 300000. */
  readonly historyWindowMs?: number;
  /** How long a broker holds a fetch when nothing is new, in ms; default 500. */
  readonly maxWaitMs?: number;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** A number from 0 up to 1, for jitter; default Math.random. */
  readonly random?: () => number;
}

/**
 * A feed that reads the Kafka topic that the publisher writes.
 *
 * Every reader reads all partitions by itself, without a consumer group. A topic that does not exist is waited for.
 */
export function createKafkaFeed(options: KafkaFeedOptions): ChangeFeed {
  const { connection, topic, maxWaitMs = 500 } = options;
  let partitions = 0;
  return {
    get partitions() {
      return partitions;
    },
    partitionOf: typePrefix => partitionOf(typePrefix, partitions),
    async open(onMessage, signal) {
      const follower = new KafkaFollower({
        connect: () => connectTopicReader({ connection, topic, maxWaitMs }),
        historyWindowMs: options.historyWindowMs ?? 300_000,
        clock: options.clock ?? systemClock,
        log: options.log ?? silentLog,
        random: options.random ?? Math.random,
        onMessage,
        signal,
      });
      partitions = await follower.start();
      void follower.run(); // Never rejects.
    },
  };
}

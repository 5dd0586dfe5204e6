import type { ConnectionOptions } from 'node:tls';
import type { WatchCacheClock, WatchCacheLog } from '../../environment.ts';
import type { ChangeFeed } from '../../feed.ts';

/** What a Kafka feed needs. */
export interface KafkaFeedOptions {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly clientId: string;
  readonly tls?: ConnectionOptions;
  /** How far back the feed starts, in ms; default 300000. */
  readonly historyWindowMs?: number;
  /** How long a broker holds a fetch when nothing is new, in ms; default 500. */
  readonly maxWaitMs?: number;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** A number from 0 up to 1, for jitter; default Math.random. */
  readonly random?: () => number;
}

/** A feed that reads the Kafka topic that the publisher writes. */
export function createKafkaFeed(options: KafkaFeedOptions): ChangeFeed {
  throw new Error(String(options));
}

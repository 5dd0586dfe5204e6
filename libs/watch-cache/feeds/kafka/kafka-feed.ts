import {
  connectTopicReader,
  type FeedEncryption,
  type KafkaConnection,
  RecordOpener,
  type RecordRefusal,
  unencryptedFeed,
} from '@binnacle/kafka';
import { partitionOf } from '@binnacle/storage-contract';
import {
  silentLog,
  systemClock,
  type WatchCacheClock,
  type WatchCacheLog,
} from '../../contract/environment.ts';
import type { ChangeFeed } from '../../contract/feed.ts';
import { defaultWatchCacheLimits } from '../../contract/limits.ts';
import { KafkaFollower, type KafkaFollowerOptions } from './kafka-follower.ts';
import { readTopicHistory } from './kafka-history.ts';

/** Options of a Kafka feed. */
interface KafkaFeedOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Decryption of records; default: records are not encrypted. */
  readonly encryption?: FeedEncryption;
  /** Called for each refused record. */
  readonly onRefusedRecord?: (reason: RecordRefusal) => void;
  /** Length of the history window, in ms; default: 300,000. */
  readonly historyWindow?: number;
  /** Maximum time that a broker holds a fetch without new records, in ms; default: 3,000. */
  readonly maxWaitMs?: number;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** Returns a random number in [0, 1) for jitter; default: Math.random. */
  readonly random?: () => number;
}

/** Well below 5 s, the time after which a broker without an answer counts as failed. */
const defaultMaxWaitMs = 3000;

/**
 * Creates a feed that reads the Kafka topic that the publisher writes.
 *
 * Each reader reads on its own, without a consumer group: all partitions, or those of the types that it follows. It waits for a
 * topic that does not exist yet.
 */
export function createKafkaFeed(options: KafkaFeedOptions): ChangeFeed {
  const { connection, topic, encryption = unencryptedFeed, maxWaitMs = defaultMaxWaitMs } = options;
  let partitions = 0;
  let follower: KafkaFollower | undefined;
  const access = {
    connect: () => connectTopicReader({ connection, topic, maxWaitMs }),
    onRefusedRecord: options.onRefusedRecord ?? (() => {}),
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    random: options.random ?? Math.random,
  };
  const historyWindow = options.historyWindow ?? defaultWatchCacheLimits.historyWindow;
  let isFollowed: KafkaFollowerOptions['isFollowed'] = () => true;
  return {
    get refusal() {
      return follower?.refusal;
    },
    get partitions() {
      return partitions;
    },
    partitionOf: typePrefix => partitionOf(typePrefix, partitions),
    expedite: () => follower?.expedite() ?? { [Symbol.dispose]() {} },
    throttle: milliseconds => follower?.throttleFor(milliseconds),
    setWatched: isWatched => follower?.setWatched(isWatched),
    async open(onMessage, signal, typePrefixes) {
      isFollowed = (partition, count) =>
        typePrefixes?.some(prefix => partitionOf(prefix, count) === partition) ?? true;
      const opener = new RecordOpener(encryption, topic);
      follower = new KafkaFollower({ ...access, opener, isFollowed, onMessage, signal });
      partitions = await follower.start();
      void follower.run(); // Never rejects.
    },
    readHistory: (receiverOf, signal) =>
      readTopicHistory(
        { ...access, historyWindow, isFollowed, createOpener: () => new RecordOpener(encryption, topic) },
        receiverOf,
        signal,
      ),
  };
}

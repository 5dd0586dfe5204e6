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
  /** How records are opened; default: they are in clear. */
  readonly encryption?: FeedEncryption;
  /** Told of each record that is refused. */
  readonly onRefusedRecord?: (reason: RecordRefusal) => void;
  /** How far back history is read, in ms; default 300000. */
  readonly historyWindow?: number;
  /** How long a broker holds a fetch when nothing is new, in ms; default 3000. */
  readonly maxWaitMs?: number;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** A number from 0 up to 1, for jitter; default Math.random. */
  readonly random?: () => number;
}

/** Well below the five seconds after which a broker that does not answer is given up. */
const defaultMaxWaitMs = 3000;

/**
 * A feed that reads the Kafka topic that the publisher writes.
 *
 * Every reader reads by itself, without a consumer group: all partitions, or those of the types that it follows. A topic that does not exist is waited for.
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

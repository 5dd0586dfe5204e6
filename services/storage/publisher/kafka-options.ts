import type { FeedEncryption, KafkaConnection } from '@binnacle/kafka';

/** Where the change feed goes. */
export interface KafkaOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** How records are encrypted; default: they are in clear. */
  readonly encryption?: FeedEncryption;
  /** How many partitions the topic is made with; a topic that exists keeps its own. */
  readonly partitions: number;
  /** Copies of each record, of the topic when it is made. */
  readonly replicationFactor: number;
  /** Copies that a record must have before it is acknowledged, of the topic when it is made; default: that of the brokers. */
  readonly minInSyncReplicas?: number;
}

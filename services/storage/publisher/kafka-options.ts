import type { FeedEncryption, KafkaConnection } from '@binnacle/kafka';

/** Settings of the change feed in Kafka. */
export interface KafkaOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Encryption of records; default: none. */
  readonly encryption?: FeedEncryption;
  /** Partitions of a new topic; an existing topic keeps its own. */
  readonly partitions: number;
  /** Replicas of each record, in a new topic. */
  readonly replicationFactor: number;
  /** Replicas that a record must have before it is acknowledged, in a new topic; default: that of the brokers. */
  readonly minInSyncReplicas?: number;
}

import type { KafkaConnection } from '@binnacle/kafka';

/** Where the change feed goes. */
export interface KafkaOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** How many partitions the topic is made with; a topic that exists keeps its own. */
  readonly partitions: number;
  /** Copies of each record. */
  readonly replicationFactor: number;
}

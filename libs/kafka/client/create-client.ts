import type { Kafka } from 'kafkajs';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { kafkaSettings, logCreatorOf } from './kafka-settings.ts';
import { type Cluster, loadKafkaJs } from './load-kafkajs.ts';

/** Creates a client of kafkajs, for writers and administration; it does not connect yet. */
export function createClient(connection: KafkaConnection): Kafka {
  const { api } = loadKafkaJs();
  return new api.Kafka({
    ...kafkaSettings(connection),
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 },
    logLevel: api.logLevel.WARN,
    logCreator: logCreatorOf(connection),
  });
}

/** Creates a cluster of kafkajs, for readers without a consumer group; it does not connect yet. */
export function createCluster(connection: KafkaConnection): Cluster {
  const { Cluster, createLogger, api } = loadKafkaJs();
  return new Cluster({
    ...kafkaSettings(connection),
    logger: createLogger({ level: api.logLevel.WARN, logCreator: logCreatorOf(connection) }),
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    isolationLevel: 0,
    retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 500, factor: 0.2, multiplier: 2 },
  });
}

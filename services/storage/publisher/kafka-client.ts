import { restIdleConnections } from '@binnacle/kafka';
import type { Logger } from '@binnacle/service-kit';
import { Kafka, type LogEntry, logLevel } from 'kafkajs';

/** Where the change feed goes. */
export interface KafkaOptions {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  readonly topic: string;
  /** How many partitions the topic is made with; a topic that exists keeps its own. */
  readonly partitions: number;
  /** Copies of each record. */
  readonly replicationFactor: number;
}

/** Milliseconds after which a broker that does not answer is given up. */
export const kafkaRequestTimeoutMs = 5000;

/** A Kafka client that fails soon, for whoever uses it tries again from the start, and that logs to the given logger. */
export function createKafkaClient(options: KafkaOptions, log: Logger): Kafka {
  restIdleConnections();
  return new Kafka({
    clientId: 'binnacle-storage',
    brokers: [...options.brokers],
    connectionTimeout: 2000,
    requestTimeout: kafkaRequestTimeoutMs,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 },
    logLevel: logLevel.WARN,
    logCreator: () => kafkaLogger(log),
  });
}

/** What kafkajs calls an error is one attempt of several; the failure itself is thrown. */
export function kafkaLogger(log: Logger): (entry: LogEntry) => void {
  return ({ namespace, log: { message, error } }) => log.debug(`kafka: ${message}`, { namespace, error });
}

import type { Socket } from 'node:net';
import type { ISocketFactoryArgs, Kafka } from 'kafkajs';
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

/** A cluster of kafkajs, and what ends its connections at once. */
export interface OpenCluster {
  readonly cluster: Cluster;
  /** Ends every connection and fails what is under way: kafkajs itself waits for a fetch that a broker holds. */
  close(): Promise<void>;
}

/** Creates a cluster of kafkajs, for readers without a consumer group; it does not connect yet. */
export function createCluster(connection: KafkaConnection): OpenCluster {
  const { Cluster, createLogger, api } = loadKafkaJs();
  const settings = kafkaSettings(connection);
  const sockets = new Set<Socket>();
  const socketFactory = (args: ISocketFactoryArgs): Socket => {
    const socket = settings.socketFactory(args);
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const cluster = new Cluster({
    ...settings,
    socketFactory,
    logger: createLogger({ level: api.logLevel.WARN, logCreator: logCreatorOf(connection) }),
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    isolationLevel: 0,
    retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 500, factor: 0.2, multiplier: 2 },
  });
  return {
    cluster,
    async close() {
      for (const socket of sockets) socket.destroy(new Error('the connection was closed'));
      await cluster.disconnect();
    },
  };
}

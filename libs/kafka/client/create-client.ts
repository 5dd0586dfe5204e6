import type { Socket } from 'node:net';
import type { ISocketFactory, Kafka } from 'kafkajs';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createLogCreator, kafkaSettings } from '../access/kafka-settings.ts';
import { type Cluster, loadKafkaJs } from '../kafkajs/load-kafkajs.ts';

/** A client of kafkajs, and what ends its connections. */
interface OpenClient {
  readonly client: Kafka;
  /** Disconnects: what was sent already is answered first, and nothing more is sent. Never rejects. */
  close(connected: Disconnectable): Promise<void>;
}

/** A connected client: a producer, or an administration. */
interface Disconnectable {
  disconnect(): Promise<void>;
}

/** Creates a client of kafkajs, for writers and administration; it does not connect yet. */
export function createClient(connection: KafkaConnection): OpenClient {
  const { api } = loadKafkaJs();
  const settings = kafkaSettings(connection);
  const sockets = ownSockets(settings.socketFactory);
  const client = new api.Kafka({
    ...settings,
    socketFactory: sockets.socketFactory,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 },
    logLevel: api.logLevel.WARN,
    logCreator: createLogCreator(connection),
  });
  return {
    client,
    async close(connected) {
      sockets.refuseNew();
      await connected.disconnect().catch(() => {});
      sockets.destroy();
    },
  };
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
  const sockets = ownSockets(settings.socketFactory);
  const cluster = new Cluster({
    ...settings,
    socketFactory: sockets.socketFactory,
    logger: createLogger({ level: api.logLevel.WARN, logCreator: createLogCreator(connection) }),
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    isolationLevel: 0,
    retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 500, factor: 0.2, multiplier: 2 },
  });
  return {
    cluster,
    async close() {
      sockets.destroy();
      await cluster.disconnect();
    },
  };
}

/** The sockets of one client. */
interface OwnSockets {
  readonly socketFactory: ISocketFactory;
  /**
   * Refuses every further socket: a request that kafkajs retries while its client disconnects would connect anew,
   * and be carried out after its caller believed the client gone.
   */
  refuseNew(): void;
  /** Refuses further sockets, and ends those that are open. */
  destroy(): void;
}

/** Keeps the sockets that a client opens. */
function ownSockets(open: ISocketFactory): OwnSockets {
  const sockets = new Set<Socket>();
  let isClosed = false;
  const refuseNew = () => {
    isClosed = true;
  };
  return {
    socketFactory(args) {
      if (isClosed) throw new Error('the client was closed');
      const socket = open(args);
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    refuseNew,
    destroy() {
      refuseNew();
      for (const socket of sockets) socket.destroy(new Error('the connection was closed'));
    },
  };
}

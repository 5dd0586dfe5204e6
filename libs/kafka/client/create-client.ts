import type { Socket } from 'node:net';
import type { ISocketFactory, Kafka } from 'kafkajs';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createLogCreator, kafkaSettings } from '../access/kafka-settings.ts';
import { type Cluster, loadKafkaJs } from '../kafkajs/load-kafkajs.ts';

/** A kafkajs client, with a function that closes its connections. */
interface OpenClient {
  readonly client: Kafka;
  /** Disconnects: waits for the answers to requests that were sent, and sends no more. Never rejects. */
  close(connected: Disconnectable): Promise<void>;
}

/** A connected producer or administration client. */
interface Disconnectable {
  disconnect(): Promise<void>;
}

/** Creates a kafkajs client for writers and administration; does not connect yet. */
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

/** A kafkajs cluster, with a function that closes its connections at once. */
export interface OpenCluster {
  readonly cluster: Cluster;
  /** Closes every connection, which fails the requests under way; kafkajs itself would wait for a fetch that a broker holds. */
  close(): Promise<void>;
}

/** Creates a kafkajs cluster for readers without a consumer group; does not connect yet. */
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
   * Refuses new sockets: otherwise a request that kafkajs retries while its client disconnects would open a connection,
   * and be processed after the caller has closed the client.
   */
  refuseNew(): void;
  /** Refuses new sockets, and closes the open ones. */
  destroy(): void;
}

/** Creates a socket factory that tracks the sockets of a client. */
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

import { createRequire } from 'node:module';
import type * as KafkaJs from 'kafkajs';

/** The records of one partition in a fetch response. */
export interface FetchedResponse {
  readonly partition: number;
  readonly messages: readonly {
    readonly offset: string;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    /** A header that occurs more than once has a list of values. */
    readonly headers?: Readonly<Record<string, Buffer | readonly Buffer[] | undefined>>;
    readonly isControlRecord?: boolean;
  }[];
}

/** The members of a kafkajs broker that this package uses. */
interface Broker {
  fetch(
    request: object,
  ): Promise<{ readonly responses: readonly { readonly partitions: readonly FetchedResponse[] }[] }>;
}

/** The members of a kafkajs cluster, the internal module below its clients, that this package uses. */
export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findTopicPartitionMetadata(topic: string): { readonly partitionId: number }[];
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  fetchTopicsOffset(
    topics: readonly object[],
  ): Promise<{ readonly partitions: readonly { readonly partition: number; readonly offset: string }[] }[]>;
  findBroker(broker: { readonly nodeId: string }): Promise<Broker>;
}

/** A request that waits for its response. */
export interface RequestInFlight {
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

/** The members of a connection's request queue that this package uses. */
export interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, RequestInFlight>;
  readonly enforceRequestTimeout: boolean;
  requestTimeoutIntervalId?: NodeJS.Timeout;
  isConnected(): boolean;
  destroy(): void;
  scheduleRequestTimeoutCheck(): void;
  scheduleCheckPendingRequests(): void;
}

/** Creates the SCRAM authentication of a connection from a user name and a password. */
type ScramProvider = (sasl: {
  readonly username: string;
  readonly password: string;
}) => KafkaJs.Mechanism['authenticationProvider'];

/** The parts of kafkajs that this package uses, including internals. */
interface LoadedKafkaJs {
  readonly api: typeof KafkaJs;
  readonly Cluster: new (options: object) => Cluster;
  readonly createLogger: (options: object) => object;
  readonly requestQueue: { readonly prototype: RequestQueue };
  readonly scram: Readonly<Record<'scram-sha-256' | 'scram-sha-512', ScramProvider>>;
}

let loaded: LoadedKafkaJs | undefined;

/**
 * Loads kafkajs on first use: services without Kafka import this package for its types and files.
 *
 * The version is pinned to 2.2.4. The public interface reads only through consumer groups, where joining a group takes
 * seconds and an offset out of range is silently replaced, so this package uses internal modules. They are untyped; the
 * interfaces above describe the members in use.
 */
export function loadKafkaJs(): LoadedKafkaJs {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  // Untyped modules, see above.
  loaded = {
    api: require('kafkajs') as typeof KafkaJs,
    Cluster: require('kafkajs/src/cluster') as LoadedKafkaJs['Cluster'],
    createLogger: (require('kafkajs/src/loggers') as Pick<LoadedKafkaJs, 'createLogger'>).createLogger,
    requestQueue: require('kafkajs/src/network/requestQueue') as LoadedKafkaJs['requestQueue'],
    scram: {
      'scram-sha-256': require('kafkajs/src/broker/saslAuthenticator/scram256') as ScramProvider,
      'scram-sha-512': require('kafkajs/src/broker/saslAuthenticator/scram512') as ScramProvider,
    },
  };
  return loaded;
}

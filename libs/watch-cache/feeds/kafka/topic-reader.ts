import { createRequire } from 'node:module';
import type { ConnectionOptions } from 'node:tls';
import { restIdleConnections } from '@binnacle/kafka';

/** The records of one partition that a fetch brought: whole batches, in order. */
export interface FetchedPartition {
  readonly partition: number;
  readonly records: readonly { readonly offset: bigint; readonly value: Buffer }[];
}

/**
 * Reads a topic without a consumer group, from offsets that the caller keeps.
 *
 * One reader is one set of connections. After any error it is closed and another one made; nothing is repaired.
 */
export interface TopicReader extends AsyncDisposable {
  /** The partitions of the topic, by the broker that leads them. */
  readonly leaders: ReadonlyMap<string, readonly number[]>;
  /** Offsets of all partitions: the first record there is, the end, or the first record since a time. */
  offsets(at: 'earliest' | 'end' | { readonly since: number }): Promise<Map<number, bigint>>;
  /**
   * What a broker has from these offsets on; waits for a while when there is nothing. Batches begin where they
   * begin: there can be records before the offset. Fails with `OffsetOutOfRange` where an offset is not in the topic.
   */
  fetch(leader: string, offsets: ReadonlyMap<number, bigint>): Promise<readonly FetchedPartition[]>;
}

/** An offset is not in the topic: before its first record, or after its end. */
export class OffsetOutOfRange extends Error {
  readonly partition: number;

  constructor(partition: number) {
    super(`the offset is not in partition ${partition}`);
    this.name = 'OffsetOutOfRange';
    this.partition = partition;
  }
}

/** How to reach a topic. */
export interface TopicReaderOptions {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly clientId: string;
  readonly tls: ConnectionOptions | undefined;
  readonly maxWaitMs: number;
}

const CONNECT_TIMEOUT_MS = 3000;
const ANSWER_TIMEOUT_MS = 5000;
const PARTITION_BYTES = 1024 * 1024;
const RESPONSE_BYTES = 4 * 1024 * 1024;

/** Connects and reads where the partitions are. Fails when no broker answers, or the topic does not exist. */
export async function connectTopicReader(options: TopicReaderOptions): Promise<TopicReader> {
  const cluster = createCluster(options);
  try {
    await cluster.connect();
    await cluster.addTargetTopic(options.topic);
    return new ClusterReader(cluster, options);
  } catch (thrown) {
    await cluster.disconnect().catch(() => {});
    throw thrown;
  }
}

class ClusterReader implements TopicReader {
  readonly leaders: ReadonlyMap<string, readonly number[]>;
  readonly #cluster: Cluster;
  readonly #options: TopicReaderOptions;
  readonly #partitions: readonly number[];

  constructor(cluster: Cluster, options: TopicReaderOptions) {
    const { topic } = options;
    this.#cluster = cluster;
    this.#options = options;
    this.#partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
    if (this.#partitions.length === 0) throw new Error(`the topic ${topic} has no partitions`);
    this.leaders = new Map(Object.entries(cluster.findLeaderForPartitions(topic, this.#partitions)));
  }

  async offsets(at: 'earliest' | 'end' | { readonly since: number }): Promise<Map<number, bigint>> {
    const { topic } = this.#options;
    const partitions = this.#partitions.map(partition => ({ partition }));
    const where = typeof at === 'string' ? { fromBeginning: at === 'earliest' } : { fromTimestamp: at.since };
    const answers = await this.#cluster.fetchTopicsOffset([{ topic, partitions, ...where }]);
    const offsets = new Map<number, bigint>();
    for (const answer of answers) {
      for (const { partition, offset } of answer.partitions) offsets.set(partition, BigInt(offset));
    }
    return offsets;
  }

  async fetch(leader: string, offsets: ReadonlyMap<number, bigint>): Promise<readonly FetchedPartition[]> {
    const { topic, maxWaitMs } = this.#options;
    const partitions = [...offsets].map(([partition, offset]) => ({
      partition,
      fetchOffset: offset.toString(),
      maxBytes: PARTITION_BYTES,
    }));
    const broker = await this.#cluster.findBroker({ nodeId: leader });
    try {
      const { responses } = await broker.fetch({
        maxWaitTime: maxWaitMs,
        minBytes: 1,
        maxBytes: RESPONSE_BYTES,
        isolationLevel: 0,
        topics: [{ topic, partitions }],
      });
      return responses.flatMap(response => response.partitions.map(fetchedPartitionFrom));
    } catch (thrown) {
      throw outOfRangeFrom(thrown) ?? thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.disconnect();
  }
}

function fetchedPartitionFrom({ partition, messages }: PartitionResponse): FetchedPartition {
  const records = messages.flatMap(({ offset, value, isControlRecord }) =>
    value === null || isControlRecord === true ? [] : [{ offset: BigInt(offset), value }],
  );
  return { partition, records };
}

function outOfRangeFrom(thrown: unknown): OffsetOutOfRange | undefined {
  const { type, partition } = thrown as { readonly type?: unknown; readonly partition?: unknown };
  return type === 'OFFSET_OUT_OF_RANGE' && typeof partition === 'number'
    ? new OffsetOutOfRange(partition)
    : undefined;
}

// What is used of kafkajs 2.2.4 below its public API, which reads only through consumer groups: joining one costs
// seconds, and an offset that is out of range is silently replaced. The version is pinned exactly.

interface PartitionResponse {
  readonly partition: number;
  readonly messages: readonly {
    readonly offset: string;
    readonly value: Buffer | null;
    readonly isControlRecord?: boolean;
  }[];
}

interface Broker {
  fetch(
    request: object,
  ): Promise<{ readonly responses: readonly { readonly partitions: PartitionResponse[] }[] }>;
}

interface Cluster {
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

const require = createRequire(import.meta.url);
// Untyped modules: the interfaces above are what is known of them.
const ClusterClass = require('kafkajs/src/cluster') as new (options: object) => Cluster;
const createKafkaLogger = require('kafkajs/src/loggers').createLogger as (options: object) => object;
const createSocketFactory = require('kafkajs/src/network/socketFactory') as () => unknown;

function createCluster({ brokers, clientId, tls }: TopicReaderOptions): Cluster {
  restIdleConnections();
  return new ClusterClass({
    brokers: [...brokers],
    clientId,
    ssl: tls,
    // Failures are told by who uses the reader.
    logger: createKafkaLogger({ level: 0, logCreator: () => () => {} }),
    socketFactory: createSocketFactory(),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: CONNECT_TIMEOUT_MS,
    reauthenticationThreshold: 10_000,
    requestTimeout: ANSWER_TIMEOUT_MS,
    enforceRequestTimeout: true,
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    isolationLevel: 0,
    retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 500, factor: 0.2, multiplier: 2 },
  });
}

import { namingRefusals } from '../access/find-refusal.ts';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createCluster, type OpenCluster } from '../client/create-client.ts';
import type { Cluster, FetchedResponse } from '../kafkajs/load-kafkajs.ts';
import { encryptionHeaderName, type TopicRecord } from './topic-record.ts';

/** The fetched records of one partition: whole batches, in order. */
export interface FetchedPartition {
  readonly partition: number;
  readonly records: readonly TopicRecord[];
}

/**
 * Reads a topic without a consumer group, from offsets that the caller keeps. Disposing of the reader fails a fetch
 * under way.
 *
 * A reader owns one set of connections. After any error the caller closes it and creates a new one. Every method rejects
 * with a `BackendRefusal` if Kafka refuses the request.
 */
export interface TopicReader extends AsyncDisposable {
  /** The partitions of the topic, by the broker that leads them. */
  readonly leaders: ReadonlyMap<string, readonly number[]>;
  /** Returns the offsets of all partitions: of the first record, of the end, or of the first record since a time (-1: none). */
  offsets(at: 'earliest' | 'end' | { readonly since: number }): Promise<Map<number, bigint>>;
  /**
   * Fetches from a broker, from these offsets on; waits up to `maxWaitMs` if there is no record. A batch may begin
   * before the offset, so there can be earlier records. Rejects with `OffsetOutOfRange` if an offset is not in the
   * topic.
   */
  fetch(leader: string, offsets: ReadonlyMap<number, bigint>): Promise<readonly FetchedPartition[]>;
}

/** The error for an offset before the first record of a partition, or after its end. */
export class OffsetOutOfRange extends Error {
  readonly partition: number;

  constructor(partition: number) {
    super(`the offset is not in partition ${partition}`);
    this.name = 'OffsetOutOfRange';
    this.partition = partition;
  }
}

/** Options of a topic reader. */
interface TopicReaderOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Maximum time that a broker holds a fetch without new records, in ms. */
  readonly maxWaitMs: number;
}

const partitionBytes = 1024 * 1024;
const responseBytes = 4 * 1024 * 1024;

/** Connects, and finds the leaders of the partitions. Rejects if no broker answers, or the topic does not exist. */
export function connectTopicReader(options: TopicReaderOptions): Promise<TopicReader> {
  return namingRefusals(options.connection, async () => {
    const open = createCluster(options.connection);
    try {
      await open.cluster.connect();
      await open.cluster.addTargetTopic(options.topic);
      return new ClusterReader(open, options);
    } catch (thrown) {
      await open.close().catch(() => {});
      throw thrown;
    }
  });
}

class ClusterReader implements TopicReader {
  readonly leaders: ReadonlyMap<string, readonly number[]>;
  readonly #cluster: Cluster;
  readonly #options: TopicReaderOptions;
  readonly #partitions: readonly number[];
  readonly #close: OpenCluster['close'];
  #isClosed = false;

  constructor({ cluster, close }: OpenCluster, options: TopicReaderOptions) {
    const { topic } = options;
    this.#cluster = cluster;
    this.#close = close;
    this.#options = options;
    this.#partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
    if (this.#partitions.length === 0) throw new Error(`the topic ${topic} has no partitions`);
    this.leaders = new Map(Object.entries(cluster.findLeaderForPartitions(topic, this.#partitions)));
  }

  async offsets(at: 'earliest' | 'end' | { readonly since: number }): Promise<Map<number, bigint>> {
    const { topic, connection } = this.#options;
    const partitions = this.#partitions.map(partition => ({ partition }));
    const where = typeof at === 'string' ? { fromBeginning: at === 'earliest' } : { fromTimestamp: at.since };
    const answers = await namingRefusals(connection, () =>
      this.#cluster.fetchTopicsOffset([{ topic, partitions, ...where }]),
    );
    const offsets = new Map<number, bigint>();
    for (const answer of answers) {
      for (const { partition, offset } of answer.partitions) offsets.set(partition, BigInt(offset));
    }
    return offsets;
  }

  fetch(leader: string, offsets: ReadonlyMap<number, bigint>): Promise<readonly FetchedPartition[]> {
    const { topic, maxWaitMs, connection } = this.#options;
    const partitions = [...offsets].map(([partition, offset]) => ({
      partition,
      fetchOffset: offset.toString(),
      maxBytes: partitionBytes,
    }));
    return namingRefusals(connection, async () => {
      const broker = await this.#cluster.findBroker({ nodeId: leader });
      try {
        const { responses } = await broker.fetch({
          maxWaitTime: maxWaitMs,
          minBytes: 1,
          maxBytes: responseBytes,
          isolationLevel: 0,
          topics: [{ topic, partitions }],
        });
        return responses.flatMap(response => response.partitions.map(fetchedPartitionFrom));
      } catch (thrown) {
        if (this.#isClosed) throw new Error('the reader was closed');
        throw outOfRangeFrom(thrown) ?? thrown;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#close();
  }
}

function fetchedPartitionFrom({ partition, messages }: FetchedResponse): FetchedPartition {
  const records = messages.flatMap(({ offset, key, value, headers, isControlRecord }) =>
    value === null || isControlRecord === true
      ? []
      : [{ offset: BigInt(offset), key, value, encryptionHeader: headers?.[encryptionHeaderName] }],
  );
  return { partition, records };
}

function outOfRangeFrom(thrown: unknown): OffsetOutOfRange | undefined {
  const { type, partition } = thrown as { readonly type?: unknown; readonly partition?: unknown };
  return type === 'OFFSET_OUT_OF_RANGE' && typeof partition === 'number'
    ? new OffsetOutOfRange(partition)
    : undefined;
}

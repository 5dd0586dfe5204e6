import { createRequire } from 'node:module';
import { type WatchEvent, watchEventCodec } from '@binnacle/proto';
import type { Logger } from '@binnacle/service-kit';
import type { Admin } from 'kafkajs';
import { type KafkaOptions, kafkaLogger, kafkaRequestTimeoutMs } from './kafka-client.ts';
import { maxMessageBytes } from './topic.ts';

/** The parts of kafkajs that read a partition without a consumer group; its version is pinned for their sake. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: number[]): { [nodeId: string]: number[] };
  findBroker(options: { nodeId: string }): Promise<Broker>;
}

interface Broker {
  fetch(request: {
    readonly maxWaitTime: number;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly isolationLevel: number;
    readonly topics: readonly { readonly topic: string; readonly partitions: readonly FetchedPartition[] }[];
  }): Promise<{ responses: { partitions: { partition: number; messages: FetchedMessage[] }[] }[] }>;
}

interface FetchedPartition {
  readonly partition: number;
  readonly fetchOffset: string;
  readonly maxBytes: number;
}

interface FetchedMessage {
  readonly offset: string;
  readonly value: Buffer | null;
}

const require = createRequire(import.meta.url);

/** What is needed to read the end of a topic. */
export interface LastRecordsOptions {
  readonly admin: Admin;
  readonly kafka: KafkaOptions;
  readonly partitions: number;
  readonly log: Logger;
}

/** The last record of each partition, undefined for a partition that has none. */
export async function readLastRecords(options: LastRecordsOptions): Promise<(WatchEvent | undefined)[]> {
  const { admin, kafka, partitions } = options;
  const last: (WatchEvent | undefined)[] = Array.from({ length: partitions }, () => undefined);
  const offsets = await admin.fetchTopicOffsets(kafka.topic);
  const filled = offsets.filter(({ low, high }) => BigInt(high) > BigInt(low));
  if (filled.length === 0) return last;
  const cluster = createCluster(options);
  await cluster.connect();
  try {
    await cluster.addTargetTopic(kafka.topic);
    for (const { partition, high } of filled) {
      last[partition] = await readRecord(cluster, {
        topic: kafka.topic,
        partition,
        offset: BigInt(high) - 1n,
      });
    }
  } finally {
    await cluster.disconnect();
  }
  return last;
}

function createCluster({ kafka, log }: LastRecordsOptions): Cluster {
  // kafkajs offers no way to read without a consumer group, and does not type what lies below.
  const ClusterOf = require('kafkajs/src/cluster') as new (options: object) => Cluster;
  const { createLogger } = require('kafkajs/src/loggers') as { createLogger(options: object): object };
  const socketFactory = require('kafkajs/src/network/socketFactory') as () => object;
  return new ClusterOf({
    logger: createLogger({ level: 2, logCreator: () => kafkaLogger(log) }),
    socketFactory: socketFactory(),
    brokers: kafka.brokers,
    clientId: 'binnacle-storage',
    connectionTimeout: 2000,
    requestTimeout: kafkaRequestTimeoutMs,
    enforceRequestTimeout: true,
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 },
  });
}

interface RecordPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

async function readRecord(cluster: Cluster, position: RecordPosition): Promise<WatchEvent> {
  const { topic, partition, offset } = position;
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined) throw new Error(`partition ${partition} of ${topic} has no leader`);
  const broker = await cluster.findBroker({ nodeId });
  const { responses } = await broker.fetch({
    maxWaitTime: 1000,
    minBytes: 1,
    maxBytes: maxMessageBytes * 2,
    isolationLevel: 0,
    topics: [
      { topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: maxMessageBytes * 2 }] },
    ],
  });
  // The broker answers with the whole batch that holds the record.
  const messages = responses.flatMap(response => response.partitions.flatMap(part => part.messages));
  const value = messages.find(message => BigInt(message.offset) === offset)?.value;
  if (value == null) throw new Error(`offset ${offset} of partition ${partition} of ${topic} cannot be read`);
  return watchEventCodec.decode(value);
}

import type { Message } from 'kafkajs';
import { namingRefusals } from '../access/find-refusal.ts';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createClient } from '../client/create-client.ts';
import { loadKafkaJs } from '../kafkajs/load-kafkajs.ts';
import { encryptionHeaderName } from './topic-record.ts';

/** A record to append. */
export interface NewRecord {
  readonly partition: number;
  readonly key: string | null;
  readonly value: Uint8Array;
  /** The header of an encrypted value; default: the value is in plaintext. */
  readonly encryptionHeader?: Buffer | undefined;
  /** Unix time in ms. */
  readonly timestamp: number;
}

/**
 * Appends records to a topic, without retries. Disposing of it waits for the answers to requests that were sent; nothing
 * is written afterwards.
 */
export interface TopicWriter extends AsyncDisposable {
  /**
   * Appends records in order, those of a partition as one batch; resolves when every in-sync replica has them. Calls
   * must not overlap. After a failure, whose outcome is unknown, the caller creates a new writer. Rejects with a
   * `BackendRefusal` if Kafka refuses the request.
   */
  append(records: readonly NewRecord[]): Promise<void>;
}

/** Options of a topic writer. */
interface TopicWriterOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
}

/** Connects a topic writer. */
export async function connectTopicWriter(options: TopicWriterOptions): Promise<TopicWriter> {
  const { client, close } = createClient(options.connection);
  const producer = client.producer({
    maxInFlightRequests: 1,
    // kafkajs retries only for the brokers that did not answer. If such a broker no longer leads a partition and its
    // new leader has answered for others, kafkajs omits that partition and reports success.
    retry: { retries: 0 },
    allowAutoTopicCreation: false,
    // Not used: every message names its partition.
    createPartitioner: loadKafkaJs().api.Partitioners.DefaultPartitioner,
  });
  const disconnect = () => close(producer);
  try {
    await namingRefusals(options.connection, () => producer.connect());
  } catch (thrown) {
    await disconnect();
    throw thrown;
  }
  const { connection, topic } = options;
  return {
    append: records =>
      namingRefusals(connection, async () => {
        await producer.send({ topic, acks: -1, messages: records.map(messageFrom) });
      }),
    [Symbol.asyncDispose]: disconnect,
  };
}

function messageFrom({ partition, key, value, encryptionHeader, timestamp }: NewRecord): Message {
  return {
    partition,
    key,
    value: asBuffer(value),
    timestamp: String(Math.trunc(timestamp)),
    ...(encryptionHeader === undefined ? {} : { headers: { [encryptionHeaderName]: encryptionHeader } }),
  };
}

/** Returns the same bytes as a buffer, without copying. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

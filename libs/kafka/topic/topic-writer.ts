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
  /** The header of an encrypted value; default: the value is in clear. */
  readonly encryptionHeader?: Buffer | undefined;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/**
 * Appends records to a topic, each request once. Disposed of, it waits for the answer to what was sent already, and nothing
 * is written after that.
 */
export interface TopicWriter extends AsyncDisposable {
  /**
   * Appends records in order, those of a partition as one batch; resolves when every in-sync replica has them. One
   * call at a time. After a failure, whose outcome is not known, a new writer is made. Fails with a `BackendRefusal`
   * where Kafka answers and refuses.
   */
  append(records: readonly NewRecord[]): Promise<void>;
}

/** Which topic is written, and how. */
interface TopicWriterOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
}

/** Connects a writer. */
export async function connectTopicWriter(options: TopicWriterOptions): Promise<TopicWriter> {
  const { client, close } = createClient(options.connection);
  const producer = client.producer({
    maxInFlightRequests: 1,
    // kafkajs repeats a request for the brokers alone that did not answer. A partition that such a broker leads no longer is
    // then left out where its new leader has answered for other partitions, and the whole counts as written.
    retry: { retries: 0 },
    allowAutoTopicCreation: false,
    // Every message names its partition.
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

/** The same bytes as a buffer, not copied. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

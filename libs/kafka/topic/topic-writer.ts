import type { Message } from 'kafkajs';
import { namingRefusals } from '../access/find-refusal.ts';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createClient } from '../client/create-client.ts';
import { loadKafkaJs } from '../client/load-kafkajs.ts';
import type { FeedKeys } from '../sealing/feed-keys.ts';
import { RecordSealer } from '../sealing/record-sealer.ts';
import { sealHeaderName } from './topic-record.ts';

/** A record to append. */
export interface NewRecord {
  readonly partition: number;
  readonly key: string | null;
  readonly value: Uint8Array;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/** Appends records to a topic as an idempotent producer: what one connection sends again is not written twice. */
export interface TopicWriter extends AsyncDisposable {
  /**
   * Appends records in order, those of a partition as one batch; resolves when every in-sync replica has them. One
   * call at a time. After a failure, whose outcome is not known, a new writer is made. Fails with a `BackendRefusal`
   * where Kafka answers and refuses.
   */
  append(records: readonly NewRecord[]): Promise<void>;
}

/** Which topic is written, and how. */
export interface TopicWriterOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Seals the records; default: they are written in clear. */
  readonly keys?: FeedKeys | undefined;
}

/** Connects a writer. */
export async function connectTopicWriter(options: TopicWriterOptions): Promise<TopicWriter> {
  const producer = createClient(options.connection).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    // Every message names its partition.
    createPartitioner: loadKafkaJs().api.Partitioners.DefaultPartitioner,
  });
  const disconnect = () => producer.disconnect().catch(() => {});
  try {
    await namingRefusals(options.connection, () => producer.connect());
  } catch (thrown) {
    await disconnect();
    throw thrown;
  }
  const { connection, topic, keys } = options;
  const sealer = keys && new RecordSealer(keys, topic);
  return {
    append: records =>
      namingRefusals(connection, async () => {
        const messages = records.map(record => messageFrom(record, sealer));
        await producer.send({ topic, acks: -1, messages });
      }),
    [Symbol.asyncDispose]: disconnect,
  };
}

function messageFrom(record: NewRecord, sealer: RecordSealer | undefined): Message {
  const { partition, key, timestamp } = record;
  const place = { partition, key, timestamp: String(Math.trunc(timestamp)) };
  if (sealer === undefined) return { ...place, value: bufferOf(record.value) };
  const { value, seal } = sealer.seal(record);
  return { ...place, value, headers: { [sealHeaderName]: seal } };
}

/** The same bytes as a buffer, not copied. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

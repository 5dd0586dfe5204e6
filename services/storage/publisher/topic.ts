import type { Admin } from 'kafkajs';
import type { KafkaOptions } from './kafka-client.ts';

/** Most bytes of a batch of records, as the topic takes them. */
export const maxMessageBytes = 8_388_608;

/** Milliseconds for which records are kept however short the history window is, so that a pause leaves them there. */
const minRetentionMs = 10 * 60_000;

/** Makes the topic when it is missing, and gives its number of partitions. */
export async function ensureTopic(
  admin: Admin,
  options: KafkaOptions,
  historyWindowMs: number,
): Promise<number> {
  const retentionMs = Math.max(historyWindowMs * 2, minRetentionMs);
  if (!(await admin.listTopics()).includes(options.topic)) {
    // A topic that somebody else makes meanwhile is no failure: the answer is then false.
    await admin.createTopics({
      waitForLeaders: true,
      topics: [
        {
          topic: options.topic,
          numPartitions: options.partitions,
          replicationFactor: options.replicationFactor,
          configEntries: [
            { name: 'cleanup.policy', value: 'delete' },
            { name: 'retention.ms', value: String(retentionMs) },
            // Old segments can be removed only when a newer one was begun.
            { name: 'segment.ms', value: String(Math.ceil(retentionMs / 2)) },
            { name: 'max.message.bytes', value: String(maxMessageBytes) },
          ],
        },
      ],
    });
  }
  const { topics } = await admin.fetchTopicMetadata({ topics: [options.topic] });
  const partitions = topics[0]?.partitions.length ?? 0;
  if (partitions === 0) throw new Error(`the Kafka topic ${options.topic} has no partitions`);
  return partitions;
}

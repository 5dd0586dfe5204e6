import type { TopicAdministration } from '@binnacle/kafka';
import type { KafkaOptions } from './kafka-options.ts';

/** Most bytes of a batch of records, as the topic takes them. */
const maxMessageBytes = 8_388_608;

/** Milliseconds for which records are kept however short the history window is, so that a pause leaves them there. */
const minRetentionMs = 10 * 60_000;

/** Makes the topic when it is missing. */
export async function ensureTopic(
  administration: TopicAdministration,
  { topic, partitions, replicationFactor, minInSyncReplicas }: KafkaOptions,
  historyWindow: number,
): Promise<void> {
  if (await administration.hasTopic(topic)) return;
  const retentionMs = Math.max(historyWindow * 2, minRetentionMs);
  await administration.createTopic({
    topic,
    partitions,
    replicationFactor,
    settings: {
      'cleanup.policy': 'delete',
      'retention.ms': String(retentionMs),
      // Old segments can be removed only when a newer one was begun.
      'segment.ms': String(Math.ceil(retentionMs / 2)),
      'max.message.bytes': String(maxMessageBytes),
      ...(minInSyncReplicas === undefined ? {} : { 'min.insync.replicas': String(minInSyncReplicas) }),
    },
  });
}

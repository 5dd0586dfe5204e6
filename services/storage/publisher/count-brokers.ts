import { setTimeout as sleep } from 'node:timers/promises';
import { connectTopicAdministration } from '@binnacle/kafka';
import type { Metrics } from '@binnacle/telemetry';
import type { KafkaOptions } from './kafka-options.ts';

const intervalMs = 30_000;

/**
 * Counts Kafka's brokers periodically: `binnacle_kafka_brokers`, 0 while none answers. A suspended broker counts until its session with
 * the others expires. Ends when the signal aborts; never rejects.
 */
export async function countBrokers(
  { connection }: KafkaOptions,
  metrics: Metrics,
  signal: AbortSignal,
): Promise<void> {
  const brokers = metrics
    .gauge({ name: 'binnacle_kafka_brokers', help: 'Brokers that Kafka reports; 0 while none answers.' })
    .labels();
  while (!signal.aborted) {
    brokers.set(await askForBrokers(connection).catch(() => 0));
    await sleep(intervalMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});
  }
}

async function askForBrokers(connection: KafkaOptions['connection']): Promise<number> {
  await using administration = await connectTopicAdministration(connection);
  return await administration.liveBrokers();
}

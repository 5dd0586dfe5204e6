import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pollUntil } from '@binnacle/backends';
import type { Distributed } from '@binnacle/compose';
import { feedTopic } from '@binnacle/compose/testing';
import { connectTopicReader } from '@binnacle/kafka';

/** The name of the broker that leads the most partitions of the change feed; waits until one does. */
export async function findTopicLeader(form: Distributed, dataDirectory: string): Promise<string> {
  let leader: string | undefined;
  await pollUntil('a broker of Kafka to lead the change feed', async () => {
    await using reader = await connectTopicReader({
      connection: await feedConnection(form, dataDirectory, 'gateway'),
      topic: feedTopic,
      maxWaitMs: 500,
    });
    const [[number] = []] = [...reader.leaders].toSorted(([, a], [, b]) => b.length - a.length);
    leader = number === undefined ? undefined : `kafka-${number}`;
    return leader !== undefined && form.process(leader).running;
  });
  if (leader === undefined) throw new Error('no broker leads the change feed');
  return leader;
}

/** How a service reaches the change feed. */
export async function feedConnection(
  form: Distributed,
  dataDirectory: string,
  service: 'gateway' | 'storage',
) {
  const file = (name: string) => join(dataDirectory, `pki/backends/kafka/${service}`, name);
  return {
    brokers: form.kafkaBrokers.filter(({ running }) => running).map(({ address }) => address),
    clientId: 'faults',
    tls: { ca: await readFile(file('ca.crt')), identity: undefined },
    user: {
      mechanism: 'scram-sha-512',
      username: service,
      password: async () => (await readFile(file('password'), 'utf8')).trim(),
    },
  } as const;
}

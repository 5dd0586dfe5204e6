import { connectTopicReader, type TopicReader } from '@binnacle/kafka';
import { type WatchEvent, watchEventCodec } from '@binnacle/proto';
import type { KafkaOptions } from './kafka-options.ts';

const maxWaitMs = 1000;

/** The last record of each partition, undefined for a partition that has none. */
export async function readLastRecords({
  connection,
  topic,
}: KafkaOptions): Promise<(WatchEvent | undefined)[]> {
  await using reader = await connectTopicReader({ connection, topic, maxWaitMs });
  const [starts, ends] = await Promise.all([reader.offsets('earliest'), reader.offsets('end')]);
  const last: (WatchEvent | undefined)[] = Array.from({ length: ends.size }, () => undefined);
  for (const [leader, partitions] of reader.leaders) {
    for (const partition of partitions) {
      const end = ends.get(partition) ?? 0n;
      if (end > (starts.get(partition) ?? 0n))
        last[partition] = await readRecord(reader, { leader, partition, offset: end - 1n });
    }
  }
  return last;
}

interface RecordPosition {
  readonly leader: string;
  readonly partition: number;
  readonly offset: bigint;
}

async function readRecord(reader: TopicReader, position: RecordPosition): Promise<WatchEvent> {
  const { leader, partition, offset } = position;
  // The broker answers with the whole batch that holds the record.
  const [fetched] = await reader.fetch(leader, new Map([[partition, offset]]));
  const record = fetched?.records.find(each => each.offset === offset);
  if (record === undefined) throw new Error(`offset ${offset} of partition ${partition} cannot be read`);
  return watchEventCodec.decode(record.value);
}

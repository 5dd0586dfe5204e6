import { BackendRefusal } from '@binnacle/backend-access';
import { connectTopicReader, RecordOpener, type TopicReader, unencryptedFeed } from '@binnacle/kafka';
import type { WatchEvent } from '@binnacle/proto';
import { decodeFeedRecord } from '@binnacle/storage-contract';
import type { KafkaOptions } from './kafka-options.ts';

/** The end of a partition of the topic. */
export type PartitionEnd =
  | { readonly kind: 'empty' }
  | { readonly kind: 'record'; readonly event: WatchEvent }
  /** There are records, but the last ones cannot be decrypted with the keys of this service. */
  | { readonly kind: 'unreadable' };

const maxWaitMs = 1000;

/**
 * Numbers of records at the end that are searched before a partition counts as unreadable: first the last record, then more, in case
 * another writer has appended to it.
 */
const searched = [1n, 256n, 8192n];

/**
 * Reads the last record of each partition that a publisher wrote. Fails with a refusal where records are encrypted and this service has
 * no keys: it would continue without encryption.
 */
export async function readLastRecords(kafka: KafkaOptions): Promise<PartitionEnd[]> {
  const { connection, topic, encryption = unencryptedFeed } = kafka;
  await using reader = await connectTopicReader({ connection, topic, maxWaitMs });
  const [starts, ends] = [await reader.offsets('earliest'), await reader.offsets('end')];
  const last: PartitionEnd[] = Array.from({ length: ends.size }, () => ({ kind: 'empty' }));
  const opener = new RecordOpener(encryption, topic);
  for (const [leader, partitions] of reader.leaders) {
    for (const partition of partitions) {
      const range = { leader, partition, start: starts.get(partition) ?? 0n, end: ends.get(partition) ?? 0n };
      if (range.end > range.start) last[partition] = await findLast(reader, opener, range);
    }
  }
  return last;
}

interface PartitionRange {
  readonly leader: string;
  readonly partition: number;
  readonly start: bigint;
  /** The offset after the last record. */
  readonly end: bigint;
}

async function findLast(
  reader: TopicReader,
  opener: RecordOpener,
  range: PartitionRange,
): Promise<PartitionEnd> {
  for (const count of searched) {
    const start = range.end - count > range.start ? range.end - count : range.start;
    const value = await lastValue(reader, opener, { ...range, start });
    const event = value && decodeFeedRecord(value).at(-1);
    if (event !== undefined) return { kind: 'record', event };
    if (start === range.start) break;
  }
  return { kind: 'unreadable' };
}

/** Finds the last value in a range of a partition that can be decrypted. */
async function lastValue(
  reader: TopicReader,
  opener: RecordOpener,
  { leader, partition, start, end }: PartitionRange,
): Promise<Buffer | undefined> {
  let last: Buffer | undefined;
  for (let next = start; next < end; ) {
    // The broker answers with whole batches: the first may begin before the offset.
    const [fetched] = await reader.fetch(leader, new Map([[partition, next]]));
    const records = fetched?.records.filter(({ offset }) => offset >= next && offset < end) ?? [];
    const newest = records.at(-1);
    if (newest === undefined) throw new Error(`offset ${next} of partition ${partition} cannot be read`);
    for (const record of records) {
      const opened = opener.open(partition, record);
      if (opened.kind === 'opened') last = opened.value;
      else if (opened.reason === 'encrypted') throw new BackendRefusal('kafka', 'record');
    }
    next = newest.offset + 1n;
  }
  return last;
}

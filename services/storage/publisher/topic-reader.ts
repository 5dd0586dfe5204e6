import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type WatchEvent, watchEventCodec } from '@binnacle/proto';
import { Kafka, logLevel } from 'kafkajs';

/** For tests: every record of each partition of a topic, from its beginning to the end that it has now. */
export async function readTopic(brokers: readonly string[], topic: string): Promise<WatchEvent[][]> {
  const kafka = new Kafka({ clientId: 'test', brokers: [...brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const partitions: WatchEvent[][] = ends.map(() => []);
  const missing = new Map(
    ends.filter(end => end.high !== end.low).map(end => [end.partition, BigInt(end.high)]),
  );
  if (missing.size === 0) return partitions;
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message }) => {
      const end = missing.get(partition);
      if (end === undefined) return;
      partitions[partition]?.push(watchEventCodec.decode(Buffer.from(message.value ?? [])));
      if (BigInt(message.offset) + 1n >= end) missing.delete(partition);
      if (missing.size === 0) resolve();
    },
  });
  await complete;
  await consumer.disconnect();
  return partitions;
}

/** What a reader of the change feed makes of a partition: the new events, in order. */
export interface FollowedPartition {
  readonly events: readonly WatchEvent[];
  readonly resets: number;
  /** Changes that the reader had already. */
  readonly repeated: number;
}

/**
 * For tests: follows a partition as readers do, from the revision that the first record continues.
 *
 * Asserts that no record shows a gap that was not announced.
 */
export function followPartition(records: readonly WatchEvent[]): FollowedPartition {
  const events: WatchEvent[] = [];
  let last = records[0]?.previousRevision ?? 0;
  let keysAtLast = new Set<string>();
  let resets = 0;
  let repeated = 0;
  for (const record of records) {
    if (record.type === 'RESET') {
      resets++;
      last = record.revision;
      keysAtLast = new Set();
      continue;
    }
    assert.ok(record.previousRevision <= last, `${record.previousRevision} follows ${last} without a gap`);
    if (record.revision < last || (record.revision === last && keysAtLast.has(record.key))) {
      if (record.type !== 'PROGRESS') repeated++;
      continue;
    }
    if (record.revision > last) keysAtLast = new Set();
    last = record.revision;
    if (record.type === 'PROGRESS') continue;
    keysAtLast.add(record.key);
    events.push(record);
  }
  return { events, resets, repeated };
}

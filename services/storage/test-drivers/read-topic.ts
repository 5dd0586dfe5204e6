import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTopicReader, type KafkaConnection } from '@binnacle/kafka';
import type { WatchEvent } from '@binnacle/proto';
import { decodeFeedRecord } from '@binnacle/storage-contract';

/**
 * For tests: every event in each partition of a topic, from its beginning to the end that it has now. Waits for the brokers that lead
 * the partitions: those of a new topic are named a little before they serve it.
 */
export async function readTopic(connection: KafkaConnection, topic: string): Promise<WatchEvent[][]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readOnce(connection, topic);
    } catch (thrown) {
      if (attempt === mostAttempts || !/leader|does not host/i.test(String(thrown))) throw thrown;
      await sleep(200);
    }
  }
}

const mostAttempts = 50;

async function readOnce(connection: KafkaConnection, topic: string): Promise<WatchEvent[][]> {
  await using reader = await connectTopicReader({ connection, topic, maxWaitMs: 100 });
  const [starts, ends] = [await reader.offsets('earliest'), await reader.offsets('end')];
  const partitions: WatchEvent[][] = [...ends.keys()].map(() => []);
  for (const [leader, led] of reader.leaders) {
    for (const partition of led) {
      const end = ends.get(partition) ?? 0n;
      for (let next = starts.get(partition) ?? 0n; next < end; ) {
        const [fetched] = await reader.fetch(leader, new Map([[partition, next]]));
        for (const { offset, value } of fetched?.records ?? []) {
          if (offset < next || offset >= end) continue;
          partitions[partition]?.push(...decodeFeedRecord(value));
          next = offset + 1n;
        }
      }
    }
  }
  return partitions;
}

/** A partition of the change feed as a reader follows it: the new events, in order. */
interface FollowedPartition {
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

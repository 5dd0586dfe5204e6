import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FeedEncryption,
  RecordEncryptor,
  RecordOpener,
  readFeedKeys,
  type TopicRecord,
} from '@binnacle/kafka';
import type { WatchEvent } from '@binnacle/proto';
import { decodeFeedRecord, encodeFeedRecord } from '@binnacle/storage-contract';
import { findMedian } from '../encoding/figures.ts';

// CPU time that a change costs a publisher and a reader in a record of its own and in one that many share, in clear and
// encrypted. What both have in common, the protocol of Kafka, is left out.

const changes = 36_000;
const runs = 9;
const topic = 'changes';
const key = 'core/configmaps';

/** Changes of objects that are alike as those of one type are. */
function createEvents(count: number): WatchEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'UPDATED' as const,
    revision: 123_456 + index,
    previousRevision: 123_455 + index,
    key: `/core/configmaps/default/example-${index}`,
    value: Buffer.from(
      JSON.stringify({
        metadata: {
          name: `example-${index}`,
          namespace: 'default',
          uid: randomUUID(),
          labels: { app: `app-${index}` },
        },
        data: {
          token: randomBytes(96).toString('base64'),
          text: 'these are some of the words in it; '.repeat(30),
        },
      }),
    ),
    previousValue: new Uint8Array(0),
    committedAt: 1_700_000_000_000,
    publishedAt: 1_700_000_000_001,
  }));
}

/** Microseconds of CPU for each change of many records: the median of the runs, one more than counted. */
function measure(count: number, work: () => void): number {
  const figures = Array.from({ length: runs + 1 }, () => {
    const before = process.cpuUsage();
    for (let index = 0; index < changes; index += count) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / changes;
  });
  return findMedian(figures.slice(1));
}

function measureReading(count: number, encryption: FeedEncryption, record: TopicRecord): number {
  const opener = new RecordOpener(encryption, topic);
  return measure(count, () => {
    const opened = opener.open(0, record);
    if (opened.kind === 'refused') throw new Error(opened.reason);
    decodeFeedRecord(opened.value);
  });
}

const directory = await mkdtemp(join(tmpdir(), 'binnacle-feed-encryption-'));
const file = join(directory, 'keys');
await writeFile(file, Buffer.alloc(32, 7).toString('base64'));
const keys = await readFeedKeys(file);
await rm(directory, { recursive: true });

for (const count of [1, 12]) {
  const events = createEvents(count);
  const value = Buffer.from(encodeFeedRecord(key, events));
  const inClear: TopicRecord = { offset: 0n, key: Buffer.from(key), value, encryptionHeader: undefined };
  const encrypted = {
    ...inClear,
    ...new RecordEncryptor(() => keys, topic).encrypt({ partition: 0, key, value }),
  };
  const encryptor = new RecordEncryptor(() => keys, topic);
  const figures: readonly (readonly [what: string, inClear: number, encrypted: number])[] = [
    [
      'publisher',
      measure(count, () => void encodeFeedRecord(key, events)),
      measure(
        count,
        () => void encryptor.encrypt({ partition: 0, key, value: encodeFeedRecord(key, events) }),
      ),
    ],
    [
      'reader',
      measureReading(count, { keys: undefined, acceptUnencrypted: false }, inClear),
      measureReading(count, { keys, acceptUnencrypted: false }, encrypted),
    ],
  ];
  const bytes = Math.round(events.reduce((sum, event) => sum + event.value.length, 0) / count);
  const stored = Math.round(value.length / count);
  console.log(
    `${count} changes a record, objects of ${bytes} bytes, ${stored} bytes a change in the record; µs of CPU a change`,
  );
  for (const [what, clear, closed] of figures)
    console.log(`${what.padEnd(10)} ${clear.toFixed(2)} in clear, ${closed.toFixed(2)} encrypted`);
}

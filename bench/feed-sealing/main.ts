import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FeedSealing,
  RecordOpener,
  RecordSealer,
  readFeedKeys,
  type TopicRecord,
} from '@binnacle/kafka';
import { type WatchEvent, watchEventCodec } from '@binnacle/proto';
import { medianOf } from '../encoding/figures.ts';

// CPU time that one record of the change feed costs a publisher and a reader, in clear and sealed. What both have in
// common, the protocol of Kafka, is left out.

const records = 50_000;
const runs = 9;
const topic = 'changes';
const key = 'core/configmaps';

const event: WatchEvent = {
  type: 'UPDATED',
  revision: 123_456,
  previousRevision: 123_455,
  key: '/core/configmaps/default/example',
  value: Buffer.from('x'.repeat(1400)),
  previousValue: new Uint8Array(0),
  committedAt: 1_700_000_000_000,
  publishedAt: 1_700_000_000_001,
};

/** Microseconds of CPU for each of many records: the median of the runs, one more than counted. */
function measure(work: () => void): number {
  const figures = Array.from({ length: runs + 1 }, () => {
    const before = process.cpuUsage();
    for (let index = 0; index < records; index++) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / records;
  });
  return medianOf(figures.slice(1));
}

function measureReading(sealing: FeedSealing, record: TopicRecord): number {
  const opener = new RecordOpener(sealing, topic);
  return measure(() => {
    const opened = opener.open(0, record);
    if (opened.kind === 'refused') throw new Error(opened.reason);
    watchEventCodec.decode(opened.value);
  });
}

const directory = await mkdtemp(join(tmpdir(), 'binnacle-feed-sealing-'));
const file = join(directory, 'keys');
await writeFile(file, Buffer.alloc(32, 7).toString('base64'));
const keys = await readFeedKeys(file);
await rm(directory, { recursive: true });

const value = Buffer.from(watchEventCodec.encode(event));
const inClear: TopicRecord = { offset: 0n, key: Buffer.from(key), value, seal: undefined };
const sealed = { ...inClear, ...new RecordSealer(keys, topic).seal({ partition: 0, key, value }) };
const sealer = new RecordSealer(keys, topic);

const figures: readonly (readonly [what: string, inClear: number, sealed: number])[] = [
  [
    'publisher',
    measure(() => void watchEventCodec.encode(event)),
    measure(() => void sealer.seal({ partition: 0, key, value: watchEventCodec.encode(event) })),
  ],
  [
    'reader',
    measureReading({ keys: undefined, acceptUnsealed: false }, inClear),
    measureReading({ keys, acceptUnsealed: false }, sealed),
  ],
];
console.log(`a record of ${value.length} bytes, µs of CPU`);
for (const [what, clear, closed] of figures) {
  const more = (closed - clear).toFixed(2);
  console.log(`${what.padEnd(10)} ${clear.toFixed(2)} in clear, ${closed.toFixed(2)} sealed: ${more} more`);
}

import { deflateRawSync } from 'node:zlib';
import { feedRecordCodec, type WatchEvent } from '@binnacle/proto';
import { Inflater } from './inflater.ts';

/** Bytes of a record from which it is worth compressing: below, it costs writer and readers more than the bytes do. */
const leastDeflated = 8 * 1024;

/** Bytes of the largest record that is compressed: what a writer or a reader does in one go takes milliseconds. */
const mostDeflated = 1024 * 1024;

const inflater = new Inflater(mostDeflated);

const nothing = new Uint8Array(0);

/** Types that are not compressed: a length says nothing of what a Secret and its neighbours have in common. */
const keptAsTheyAre: ReadonlySet<string> = new Set(['core/secrets']);

/**
 * The value of the record that carries changes of one type (`core/pods`), in order, as they follow each other in their partition.
 * Changes repeat much of each other, so what is large enough is compressed as one, where that saves a quarter or more.
 */
export function encodeFeedRecord(type: string, events: WatchEvent[]): Uint8Array {
  const plain = feedRecordCodec.encode({ events, deflated: nothing });
  if (plain.length < leastDeflated || plain.length > mostDeflated || keptAsTheyAre.has(type)) return plain;
  const deflated = deflateRawSync(plain, { level: 1 });
  if (deflated.length > 0.75 * plain.length) return plain;
  return feedRecordCodec.encode({ events: [], deflated });
}

/** The changes that a record's value carries. Throws on bytes that `encodeFeedRecord` does not write. */
export function decodeFeedRecord(value: Uint8Array): readonly WatchEvent[] {
  const record = feedRecordCodec.decode(value);
  if (record.deflated.length === 0) return record.events;
  return feedRecordCodec.decode(inflater.inflate(record.deflated)).events;
}

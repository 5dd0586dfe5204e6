import { deflateRawSync } from 'node:zlib';
import { feedRecordCodec, type WatchEvent } from '@binnacle/proto';
import { Inflater } from './inflater.ts';

/** Smallest record, in bytes, that is compressed: below, compression costs writer and readers more than it saves. */
const leastDeflated = 8 * 1024;

/** Largest record, in bytes, that is compressed, so that one call takes a few milliseconds at most. */
const mostDeflated = 1024 * 1024;

const inflater = new Inflater(mostDeflated);

const nothing = new Uint8Array(0);

/** Types that are not compressed: a compressed length would reveal what a Secret has in common with other data of the record. */
const keptAsTheyAre: ReadonlySet<string> = new Set(['core/secrets']);

/**
 * Encodes the value of a feed record with changes of one type (`core/pods`), in the order of their partition. Records of 8 KiB to
 * 1 MiB are compressed if that saves at least a quarter.
 */
export function encodeFeedRecord(type: string, events: WatchEvent[]): Uint8Array {
  const plain = feedRecordCodec.encode({ events, deflated: nothing });
  if (plain.length < leastDeflated || plain.length > mostDeflated || keptAsTheyAre.has(type)) return plain;
  const deflated = deflateRawSync(plain, { level: 1 });
  if (deflated.length > 0.75 * plain.length) return plain;
  return feedRecordCodec.encode({ events: [], deflated });
}

/** Decodes the changes of a record's value. Throws on bytes that `encodeFeedRecord` does not write. */
export function decodeFeedRecord(value: Uint8Array): readonly WatchEvent[] {
  const record = feedRecordCodec.decode(value);
  if (record.deflated.length === 0) return record.events;
  return feedRecordCodec.decode(inflater.inflate(record.deflated)).events;
}

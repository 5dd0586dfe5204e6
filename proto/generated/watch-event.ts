// Generated from proto/internal/watch_event.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec } from '../runtime/contract.ts';
import { assertEnd, enumValue, messageEnd, newWriter, noBytes, readerOf, type Reader, type Writer } from '../runtime/wire.ts';

/** `WatchEventType` of `watch_event.proto`. */
export type WatchEventType =
  | 'PROGRESS'
  | 'CREATED'
  | 'UPDATED'
  | 'DELETED'
  | 'RESET';

const watchEventTypeValues: readonly WatchEventType[] = ['PROGRESS', 'CREATED', 'UPDATED', 'DELETED', 'RESET'];

const watchEventTypeNumbers: { readonly [name in WatchEventType]: number } = {
  PROGRESS: 0,
  CREATED: 1,
  UPDATED: 2,
  DELETED: 3,
  RESET: 4,
};

/** `WatchEvent` of `watch_event.proto`. */
export interface WatchEvent {
  type: WatchEventType;
  revision: number;
  /** The revision of the record before this one in the same partition; a reader at another one missed something. */
  previousRevision: number;
  key: string;
  /** The stored bytes after the change; empty for DELETED. */
  value: Uint8Array;
  /** The stored bytes before the change; empty for CREATED. */
  previousValue: Uint8Array;
  /** Milliseconds since 1970 at which storage saw the change, and at which it was published. */
  committedAt: number;
  publishedAt: number;
  /** Every change of the partition up to this revision was sent with this record or before it. */
  reached?: number | undefined;
  /** A value cannot be decrypted: both are empty, and readers must list the type. */
  unreadable?: boolean | undefined;
  /** W3C traceparent of the span that made the change known: of the write, and in the topic of its publication. */
  traceparent?: string | undefined;
}

/** Turns `WatchEvent` into bytes and back. */
export const watchEventCodec: MessageCodec<WatchEvent> = {
  encode: message => writeWatchEvent(message, newWriter()).finish(),
  decode: bytes => readWatchEvent(readerOf(bytes), bytes.length),
};

/** Appends a `WatchEvent` without its length. */
export function writeWatchEvent(message: WatchEvent, writer: Writer): Writer {
  if (message.type && message.type !== 'PROGRESS') writer.uint32(8).int32(watchEventTypeNumbers[message.type]);
  if (message.revision) writer.uint32(17).double(message.revision);
  if (message.previousRevision) writer.uint32(25).double(message.previousRevision);
  if (message.key) writer.uint32(34).string(message.key);
  if (message.value?.length) writer.uint32(42).bytes(message.value);
  if (message.previousValue?.length) writer.uint32(50).bytes(message.previousValue);
  if (message.committedAt) writer.uint32(57).double(message.committedAt);
  if (message.publishedAt) writer.uint32(65).double(message.publishedAt);
  if (message.reached !== undefined) writer.uint32(73).double(message.reached);
  if (message.unreadable !== undefined) writer.uint32(80).bool(message.unreadable);
  if (message.traceparent !== undefined) writer.uint32(90).string(message.traceparent);
  return writer;
}

/** Reads a `WatchEvent` that ends at `end`. */
export function readWatchEvent(reader: Reader, end: number): WatchEvent {
  const message: WatchEvent = { type: 'PROGRESS', revision: 0, previousRevision: 0, key: '', value: noBytes, previousValue: noBytes, committedAt: 0, publishedAt: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        message.type = enumValue(watchEventTypeValues, reader.int32(), 'WatchEventType');
        break;
      case 17:
        message.revision = reader.double();
        break;
      case 25:
        message.previousRevision = reader.double();
        break;
      case 34:
        message.key = reader.string();
        break;
      case 42:
        message.value = reader.bytes();
        break;
      case 50:
        message.previousValue = reader.bytes();
        break;
      case 57:
        message.committedAt = reader.double();
        break;
      case 65:
        message.publishedAt = reader.double();
        break;
      case 73:
        message.reached = reader.double();
        break;
      case 80:
        message.unreadable = reader.bool();
        break;
      case 90:
        message.traceparent = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The content of one record of the Kafka topic. */
export interface FeedRecord {
  /** Changes of one type that follow each other in the partition. */
  events: WatchEvent[];
  /** Instead of the events: a FeedRecord with them, compressed with raw deflate. */
  deflated: Uint8Array;
}

/** Turns `FeedRecord` into bytes and back. */
export const feedRecordCodec: MessageCodec<FeedRecord> = {
  encode: message => writeFeedRecord(message, newWriter()).finish(),
  decode: bytes => readFeedRecord(readerOf(bytes), bytes.length),
};

/** Appends a `FeedRecord` without its length. */
export function writeFeedRecord(message: FeedRecord, writer: Writer): Writer {
  for (const item of message.events ?? []) writeWatchEvent(item, writer.uint32(10).fork()).ldelim();
  if (message.deflated?.length) writer.uint32(18).bytes(message.deflated);
  return writer;
}

/** Reads a `FeedRecord` that ends at `end`. */
export function readFeedRecord(reader: Reader, end: number): FeedRecord {
  const message: FeedRecord = { events: [], deflated: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.events.push(readWatchEvent(reader, messageEnd(reader)));
        break;
      case 18:
        message.deflated = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

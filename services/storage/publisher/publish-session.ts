import { unlessAborted } from '@binnacle/event-loop';
import {
  connectTopicAdministration,
  connectTopicWriter,
  type PublishPace,
  RecordEncryptor,
  type TopicAdministration,
  type TopicWriter,
} from '@binnacle/kafka';
import { deadlineIn, noDeadline, type Span, type Tracer, type WatchEvent } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import {
  type ChangeBatch,
  encodeFeedRecord,
  isStorageError,
  type Revision,
  type Storage,
} from '@binnacle/storage-contract';
import type { Logger } from '@binnacle/telemetry';
import type { KafkaOptions } from './kafka-options.ts';
import { type PartitionEnd, readLastRecords } from './last-records.ts';
import { PartitionChains, type PartitionRecord } from './partition-chains.ts';

/** Options of a publisher. */
export interface PublisherOptions {
  readonly storage: Pick<Storage, 'changes' | 'typeRevision'>;
  readonly kafka: KafkaOptions;
  readonly historyWindow: number;
  readonly log: Logger;
  readonly pace: PublishPace;
  /** Undefined: no spans are recorded. */
  readonly tracer?: Tracer | undefined;
  /** Called after each acknowledged send: every change up to the revision is in the topic. */
  onPublished(revision: Revision, records: number): void;
}

/**
 * Publishes from the end of the topic, until the signal aborts, when it returns, or something fails.
 *
 * One send is under way at a time, and the store's changes are read only as fast as they are sent: when Kafka stalls, nothing piles up
 * here. The next session needs no state of this one.
 */
export async function publishSession(options: PublisherOptions, signal: AbortSignal): Promise<void> {
  let writer: TopicWriter | undefined;
  try {
    const ends = await whileWanted(readEnds(options), signal);
    const chains = new PartitionChains(
      ends.map(end => (end.kind === 'record' ? end.event.revision : undefined)),
    );
    const { topic, encryption } = options.kafka;
    writer = await connectWriter(options.kafka, signal);
    const first = encryption?.keys;
    const encryptor = first && new RecordEncryptor(() => encryption?.keys ?? first, topic);
    const session = { ...options, chains, writer, encryptor, notes: new QuietNotes(ends.length) };
    const start = chains.start;
    options.log.info('publishing changes', { after: start ?? 'the start of the window' });
    // The topic is ahead of a store that was restored to an earlier state: it cannot be continued.
    const reached = await storeRevision(session, signal);
    if (chains.end > reached || ends.some(({ kind }) => kind === 'unreadable'))
      return await startAnew(session, signal);
    try {
      await tail(session, start, signal);
    } catch (thrown) {
      if (!isStorageError(thrown, 'compacted') && !isStorageError(thrown, 'future-revision')) throw thrown;
      await startAnew(session, signal);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    if (writer !== undefined) await close(writer);
  }
}

const close = (writer: TopicWriter) => writer[Symbol.asyncDispose]();

interface Session extends PublisherOptions {
  readonly chains: PartitionChains;
  readonly notes: QuietNotes;
  readonly writer: TopicWriter;
  /** Encryptor of records; undefined: records are not encrypted. */
  readonly encryptor: RecordEncryptor | undefined;
}

async function connectWriter({ connection, topic }: KafkaOptions, signal: AbortSignal): Promise<TopicWriter> {
  const connecting = connectTopicWriter({ connection, topic });
  try {
    return await whileWanted(connecting, signal);
  } catch (thrown) {
    connecting.then(close, () => {});
    throw thrown;
  }
}

/** Reads the end of each partition. */
async function readEnds({ kafka, historyWindow }: PublisherOptions): Promise<PartitionEnd[]> {
  await using administration = await connectTopicAdministration(kafka.connection);
  await ensureTopic(administration, kafka, historyWindow);
  return await readLastRecords(kafka);
}

async function tail(session: Session, start: Revision | undefined, signal: AbortSignal): Promise<void> {
  const from = start === undefined ? ({ from: 'window-start' } as const) : { after: start };
  const call = { signal, deadline: noDeadline };
  const { storage, chains, pace } = session;
  pace.begin();
  for await (const batch of storage.changes(from, call)) {
    if (signal.aborted) return;
    chains.beginAt(batch.revision);
    const bytes = await publish(session, batch, signal);
    await pace.throttle(batch.revision, bytes, signal);
  }
}

/**
 * Restarts a topic whose end cannot be continued, because history is compacted, decryption fails, or it belongs to another store:
 * readers must list again.
 */
async function startAnew(session: Session, signal: AbortSignal): Promise<void> {
  const revision = await storeRevision(session, signal);
  session.log.warn('cannot continue the topic, readers must list again', { revision });
  await send(session, session.chains.reset(revision, Date.now()), signal);
  await tail(session, revision, signal);
}

function storeRevision({ storage }: Session, signal: AbortSignal): Promise<Revision> {
  return storage.typeRevision(undefined, { signal, deadline: deadlineIn(10_000) });
}

/** Publishes a batch; returns the bytes of its objects. */
async function publish(session: Session, batch: ChangeBatch, signal: AbortSignal): Promise<number> {
  const now = Date.now();
  const isWorthRecords = session.notes.isWorthRecords(batch, now);
  const records = isWorthRecords ? session.chains.recordsFor(batch, now) : [];
  if (isWorthRecords) session.notes.written(records, now);
  const spans =
    session.tracer === undefined ? undefined : startPublishing(records, session.tracer, session.kafka.topic);
  try {
    await send(session, records, signal);
  } catch (thrown) {
    if (spans !== undefined) for (const span of spans) span.fail(errorMessage(thrown));
    throw thrown;
  } finally {
    if (spans !== undefined) for (const span of spans) span.end();
  }
  session.onPublished(batch.revision, records.length);
  return records.reduce((sum, { event }) => sum + event.value.length + event.previousValue.length, 0);
}

/** Starts a span for each traced change, below its write; the record carries it, so that the spans of readers come below it. */
function startPublishing(
  records: readonly PartitionRecord[],
  tracer: Tracer,
  topic: string,
): readonly Span[] | undefined {
  let spans: Span[] | undefined;
  for (const { event, partition } of records) {
    const { traceparent, revision } = event;
    if (traceparent === undefined) continue;
    const attributes = { 'messaging.system': 'kafka', 'messaging.destination': topic, partition, revision };
    const span = tracer.start('publish', { kind: 'producer', attributes }, { traceparent, tracestate: '' });
    event.traceparent = span.traceparent;
    spans ??= [];
    spans.push(span);
  }
  return spans;
}

/** Sends records, in one request for each broker, in which the records of a partition are appended as one batch. */
async function send(
  session: Session,
  records: readonly PartitionRecord[],
  signal: AbortSignal,
): Promise<void> {
  if (records.length === 0) return;
  const appended = packRecords(records).map(({ partition, type, events }) => {
    const key = type === '' ? null : type;
    const value = encodeFeedRecord(type, events);
    const encrypted = session.encryptor?.encrypt({ partition, key, value });
    return { partition, key, timestamp: events[0]?.publishedAt ?? 0, ...(encrypted ?? { value }) };
  });
  await whileWanted(session.writer.append(appended), signal);
}

/** Waits for some work; fails as soon as the signal aborts, because a replaced leader stops at once. */
function whileWanted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(work, signal, { reasonOf: () => new Error('the publisher was told to stop') });
}

/** The most bytes of a batch of records that the topic accepts. */
const maxMessageBytes = 8_388_608;

/** The least milliseconds for which records are kept, whatever the history window, so that they survive a pause. */
const minRetentionMs = 10 * 60_000;

/** Creates the topic when it is missing. */
async function ensureTopic(
  administration: TopicAdministration,
  { topic, partitions, replicationFactor, minInSyncReplicas }: KafkaOptions,
  historyWindow: number,
): Promise<void> {
  if (await administration.hasTopic(topic)) return;
  const retentionMs = Math.max(historyWindow * 2, minRetentionMs);
  await administration.createTopic({
    topic,
    partitions,
    replicationFactor,
    settings: {
      'cleanup.policy': 'delete',
      'retention.ms': String(retentionMs),
      // Kafka removes old segments only once a newer one has begun.
      'segment.ms': String(Math.ceil(retentionMs / 2)),
      'max.message.bytes': String(maxMessageBytes),
      ...(minInSyncReplicas === undefined ? {} : { 'min.insync.replicas': String(minInSyncReplicas) }),
    },
  });
}

/**
 * The most milliseconds without a record in a partition: readers stop trusting a partition that has only forged records for five
 * seconds.
 */
const longestQuietMs = 2500;

/** Selects the progress notes of the store that lead to records: those with news for a partition. */
export class QuietNotes {
  readonly #reached: Revision[];
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(partitions: number) {
    this.#reached = Array.from({ length: partitions }, () => 0);
  }

  /** Whether records are to be written for a batch; `now` is in milliseconds since 1970. */
  isWorthRecords({ changes, revision }: ChangeBatch, now: number): boolean {
    if (changes.length > 0 || now - this.#sentAt >= longestQuietMs || now < this.#sentAt) return true;
    return this.#reached.some(reached => reached < revision);
  }

  /** Records that a batch was written. */
  written(records: readonly PartitionRecord[], now: number): void {
    for (const { partition, event } of records) this.#reached[partition] = event.reached ?? event.revision;
    if (records.length > 0) this.#sentAt = now;
  }
}

/** Changes that go into one record of the topic: of one partition and type, in the order of the partition. */
interface RecordPack {
  readonly partition: number;
  readonly type: string;
  readonly events: WatchEvent[];
}

/** Bytes of objects at which a pack is full: a reader unpacks it in about a millisecond. */
const fullBytes = 256 * 1024;

/** Packs consecutive changes of one partition and type. */
export function packRecords(records: readonly PartitionRecord[]): RecordPack[] {
  const packs: RecordPack[] = [];
  let last: RecordPack | undefined;
  let bytes = 0;
  for (const { partition, type, event } of records) {
    if (last === undefined || last.partition !== partition || last.type !== type || bytes >= fullBytes) {
      last = { partition, type, events: [] };
      bytes = 0;
      packs.push(last);
    }
    last.events.push(event);
    bytes += event.value.length + event.previousValue.length;
  }
  return packs;
}

import { unlessAborted } from '@binnacle/event-loop';
import {
  connectTopicAdministration,
  connectTopicWriter,
  type PublishPace,
  RecordEncryptor,
  type TopicAdministration,
  type TopicWriter,
} from '@binnacle/kafka';
import { deadlineIn, noDeadline, type WatchEvent } from '@binnacle/proto';
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
  /** Told after each acknowledged send: everything up to the revision is in the topic. */
  onPublished(revision: Revision, records: number): void;
}

/**
 * Publishes from where the topic ends, until the signal aborts (a plain return) or something fails.
 *
 * One send is under way at a time, and the store's changes are read only as fast as they are sent: when Kafka stands
 * still nothing piles up here. The next session needs no state of this one.
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
    const encryptor = encryption?.keys && new RecordEncryptor(encryption.keys, topic);
    const session = { ...options, chains, writer, encryptor, notes: new QuietNotes(ends.length) };
    const start = chains.start;
    options.log.info('publishing changes', { after: start ?? 'the start of the window' });
    // The topic is ahead of a store that was set back: its other partitions would be continued from one that is not.
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
  /** Undefined: records are written in clear. */
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

/** Where each partition ends. */
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

/** The end of the topic cannot be continued, from history, or it does not open, or is not of this store: readers are told to list again. */
async function startAnew(session: Session, signal: AbortSignal): Promise<void> {
  const revision = await storeRevision(session, signal);
  session.log.warn('cannot continue the topic, readers must list again', { revision });
  await send(session, session.chains.reset(revision, Date.now()), signal);
  await tail(session, revision, signal);
}

function storeRevision({ storage }: Session, signal: AbortSignal): Promise<Revision> {
  return storage.typeRevision(undefined, { signal, deadline: deadlineIn(10_000) });
}

/** Gives the bytes of the objects that were published. */
async function publish(session: Session, batch: ChangeBatch, signal: AbortSignal): Promise<number> {
  const now = Date.now();
  const isWorthRecords = session.notes.isWorthRecords(batch, now);
  const records = isWorthRecords ? session.chains.recordsFor(batch, now) : [];
  if (isWorthRecords) session.notes.written(records, now);
  await send(session, records, signal);
  session.onPublished(batch.revision, records.length);
  return records.reduce((sum, { event }) => sum + event.value.length + event.previousValue.length, 0);
}

/** One request a broker: the records of a partition are appended together. */
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

/** The result of some work; fails as soon as the signal aborts, for a leader that was replaced stops at once. */
function whileWanted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(work, signal, { reasonOf: () => new Error('the publisher was told to stop') });
}

/** Most bytes of a batch of records, as the topic takes them. */
const maxMessageBytes = 8_388_608;

/** Milliseconds for which records are kept however short the history window is, so that a pause leaves them there. */
const minRetentionMs = 10 * 60_000;

/** Makes the topic when it is missing. */
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
      // Old segments can be removed only when a newer one was begun.
      'segment.ms': String(Math.ceil(retentionMs / 2)),
      'max.message.bytes': String(maxMessageBytes),
      ...(minInSyncReplicas === undefined ? {} : { 'min.insync.replicas': String(minInSyncReplicas) }),
    },
  });
}

/**
 * Milliseconds for which a partition may get nothing: readers stop trusting one in which only forged records come for
 * five seconds.
 */
const longestQuietMs = 2500;

/** Decides which progress notes of the store are worth records: those that tell a partition something new. */
export class QuietNotes {
  readonly #reached: Revision[];
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(partitions: number) {
    this.#reached = Array.from({ length: partitions }, () => 0);
  }

  /** Whether records are to be written for a batch. `now` in milliseconds since 1970. */
  isWorthRecords({ changes, revision }: ChangeBatch, now: number): boolean {
    if (changes.length > 0 || now - this.#sentAt >= longestQuietMs || now < this.#sentAt) return true;
    return this.#reached.some(reached => reached < revision);
  }

  /** Takes note of the records that are written for a batch. */
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

/** Bytes of objects from which a pack takes no further change: what a reader unpacks in one go takes about a millisecond. */
const fullBytes = 256 * 1024;

/** Puts changes that follow each other in a partition, and are of one type, into packs. */
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

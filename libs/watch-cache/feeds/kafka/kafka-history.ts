import { sharedSlices, unlessAborted } from '@binnacle/event-loop';
import type { FetchedPartition, RecordOpener, RecordRefusal, TopicReader } from '@binnacle/kafka';
import type { WatchEvent } from '@binnacle/proto';
import { decodeFeedRecord, type Revision } from '@binnacle/storage-contract';
import { FailureLog } from '@binnacle/telemetry';
import type { WatchCacheClock, WatchCacheLog } from '../../contract/environment.ts';
import type { HistoryReceiver, PartitionMessage } from '../../contract/feed.ts';
import { createRetryBackoff } from '../retry-backoff.ts';
import { PartitionChain } from './partition-chain.ts';

/** Ages in ms at which pieces begin, before the whole window: most resumed watches were interrupted only seconds ago. */
const pieceAgesMs = [5_000, 20_000, 80_000];

/** Number of changes that a receiver copies between two checks of the time slice. */
const changesAtOnce = 200;

/** Options of readTopicHistory. */
interface KafkaHistoryOptions {
  connect(): Promise<TopicReader>;
  /** Creates an opener for records from any offset. */
  readonly createOpener: () => RecordOpener;
  readonly onRefusedRecord: (reason: RecordRefusal) => void;
  readonly historyWindow: number;
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly random: () => number;
  /** Whether a partition is read; `partitions` is their number. */
  readonly isFollowed: (partition: number, partitions: number) => boolean;
}

/**
 * Reads the records of a topic from before its followers started, in pieces: first the last seconds of every partition, then
 * increasingly longer pieces. Each piece is read with a chain of its own up to the revision at which the next newer piece begins,
 * so that the pieces join without a gap. See `ChangeFeed.readHistory`.
 */
export async function readTopicHistory(
  options: KafkaHistoryOptions,
  receiverOf: (partition: number) => HistoryReceiver,
  signal: AbortSignal,
): Promise<void> {
  const { clock, historyWindow } = options;
  const backoff = createRetryBackoff(clock, options.random);
  const failures = new FailureLog({
    log: options.log,
    failed: 'the history of the change feed cannot be read, retrying',
    worked: 'the history of the change feed was read after failures',
  });
  const ages = [...pieceAgesMs.filter(age => age < historyWindow), historyWindow];
  /** Partitions whose earlier records contain a gap. */
  const ended = new Set<number>();
  /** Offset at which the last piece of each partition began. */
  const begun = new Map<number, bigint>();
  for (let round = 0; round < ages.length; ) {
    signal.throwIfAborted();
    try {
      await using reader = await connectUnlessAborted(options, signal);
      using _closing = closeOnAbort(reader, signal);
      for (; round < ages.length; round++) {
        const isLast = round === ages.length - 1;
        const since = clock.now() - (ages[round] ?? historyWindow);
        await readPieces({ ...options, reader, receiverOf, signal, ended, begun }, since);
        if (isLast || !isWanted(reader, receiverOf, ended)) return;
        backoff.reset();
      }
    } catch (thrown) {
      signal.throwIfAborted();
      failures.failed(thrown);
      await backoff.wait(signal);
    }
  }
}

/** A frozen broker leaves a connection attempt pending: a stop does not wait for it. */
async function connectUnlessAborted(
  { connect }: KafkaHistoryOptions,
  signal: AbortSignal,
): Promise<TopicReader> {
  const connecting = connect();
  try {
    return await unlessAborted(connecting, signal);
  } catch (thrown) {
    connecting.then(
      reader => reader[Symbol.asyncDispose](),
      () => {},
    );
    throw thrown;
  }
}

/** Closing the connection ends a fetch that a broker holds. */
function closeOnAbort(reader: TopicReader, signal: AbortSignal): Disposable {
  const close = () => void Promise.resolve(reader[Symbol.asyncDispose]()).catch(() => {});
  signal.addEventListener('abort', close, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', close) };
}

interface Reading extends KafkaHistoryOptions {
  readonly reader: TopicReader;
  readonly receiverOf: (partition: number) => HistoryReceiver;
  readonly signal: AbortSignal;
  readonly ended: Set<number>;
  readonly begun: Map<number, bigint>;
}

const listPartitions = (reader: TopicReader): number[] => [...reader.leaders.values()].flat();

function isWanted(
  reader: TopicReader,
  receiverOf: (partition: number) => HistoryReceiver,
  ended: ReadonlySet<number>,
): boolean {
  return listPartitions(reader).some(partition => !ended.has(partition) && receiverOf(partition).isWanted);
}

/** Reads one piece of every partition, starting at the first record at or after a time. */
async function readPieces(reading: Reading, since: number): Promise<void> {
  const { reader, receiverOf, ended, begun, isFollowed } = reading;
  const starts = await reader.offsets({ since });
  for (const [leader, partitions] of reader.leaders) {
    for (const partition of partitions) {
      const offset = starts.get(partition) ?? -1n;
      if (offset < 0n || ended.has(partition) || !isFollowed(partition, starts.size)) continue;
      const receiver = receiverOf(partition);
      if (!receiver.isWanted || begun.get(partition) === offset) continue;
      try {
        const { hasHole } = await readPiece(reading, { leader, partition, offset }, receiver);
        begun.set(partition, offset);
        if (hasHole) ended.add(partition);
      } catch (thrown) {
        receiver.discard();
        throw thrown;
      }
    }
  }
}

async function readPiece(
  reading: Reading,
  { leader, partition, offset }: { leader: string; partition: number; offset: bigint },
  receiver: HistoryReceiver,
): Promise<{ readonly hasHole: boolean }> {
  const { reader, signal } = reading;
  const chain = new PartitionChain(partition);
  const opener = reading.createOpener();
  const { joinsAt } = receiver;
  let after: Revision | undefined;
  let hasHole = false;
  for (let next = offset; ; ) {
    const [fetched] = await reader.fetch(leader, new Map([[partition, next]]));
    signal.throwIfAborted();
    const records = fetched?.records ?? [];
    for (const message of await messagesFrom(reading, { chain, opener, partition, records })) {
      if (message.kind === 'gap') {
        receiver.discard();
        after = undefined;
        hasHole = true;
        continue;
      }
      after ??= message.after;
      for (let i = 0; i < message.changes.length; i += changesAtOnce) {
        if (sharedSlices.isOver()) await sharedSlices.yield(signal);
        receiver.receive(message.changes.slice(i, i + changesAtOnce));
      }
      if (message.revision < joinsAt) continue;
      await receiver.join(after, message.revision);
      return { hasHole };
    }
    next = (records.at(-1)?.offset ?? next - 1n) + 1n;
  }
}

/** Opens and decodes the records of whole batches. */
async function messagesFrom(
  { onRefusedRecord, signal }: Reading,
  piece: {
    readonly chain: PartitionChain;
    readonly opener: RecordOpener;
    readonly partition: number;
    readonly records: FetchedPartition['records'];
  },
): Promise<readonly PartitionMessage[]> {
  const { chain, opener, partition, records } = piece;
  const messages: PartitionMessage[] = [];
  let events: WatchEvent[] = [];
  for (const record of records) {
    if (sharedSlices.isOver()) await sharedSlices.yield(signal);
    const opened = opener.open(partition, record);
    if (opened.kind === 'refused') {
      onRefusedRecord(opened.reason);
      continue;
    }
    if (!opened.follows) {
      messages.push(...chain.take(events), chain.reset());
      events = [];
    }
    for (const event of decodeFeedRecord(opened.value)) events.push(event);
  }
  messages.push(...chain.take(events));
  return messages;
}

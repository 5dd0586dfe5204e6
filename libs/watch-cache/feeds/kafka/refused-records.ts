import { BackendRefusal } from '@binnacle/backend-access';
import type { RecordRefusal } from '@binnacle/kafka';
import type { WatchCacheClock, WatchCacheLog } from '../../contract/environment.ts';

/** Publishers write to every partition every three seconds or more often: one without a record that opens for so long is not trusted. */
const graceMs = 5000;
/** A client that can append to the topic decides how often records are refused, and must not fill the log. */
const logIntervalMs = 60_000;

/** Options of the log of refused records. */
interface RefusedRecordsOptions {
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly onRefusedRecord: (reason: RecordRefusal) => void;
}

/**
 * The records of a feed that were refused: counted, logged at most once a minute, and a reason not to be ready in a
 * partition in which none opened yet, or none since for five seconds. Single forged records between genuine ones are
 * none: they would let any client that can append stop every reader.
 */
export class RefusedRecords {
  readonly #options: RefusedRecordsOptions;
  readonly #trusted = new Set<number>();
  /** When the first record was refused after which none opened, by partition. */
  readonly #since = new Map<number, number>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RefusedRecordsOptions) {
    this.#options = options;
  }

  /** A refusal that names Kafka, while there is a partition whose records do not open. */
  get refusal(): BackendRefusal | undefined {
    if (this.#since.size === 0) return undefined;
    const now = this.#options.clock.monotonic();
    for (const [partition, since] of this.#since) {
      if (!this.#trusted.has(partition) || now - since >= graceMs)
        return new BackendRefusal('kafka', 'record');
    }
    return undefined;
  }

  refused(partition: number, offset: bigint, reason: RecordRefusal): void {
    const { clock, log, onRefusedRecord } = this.#options;
    onRefusedRecord(reason);
    const now = clock.monotonic();
    if (!this.#since.has(partition)) this.#since.set(partition, now);
    if (now - this.#loggedAt < logIntervalMs) return;
    this.#loggedAt = now;
    log.error('kafka record refused', { reason, partition, offset: offset.toString() });
  }

  opened(partition: number): void {
    this.#trusted.add(partition);
    this.#since.delete(partition);
  }
}

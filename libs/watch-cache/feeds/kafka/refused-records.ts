import { BackendRefusal } from '@binnacle/backend-access';
import type { RecordRefusal } from '@binnacle/kafka';
import type { WatchCacheClock, WatchCacheLog } from '../../contract/environment.ts';

/** Publishers write to every partition at least every 3 s: a partition without a valid record for this long is not trusted. */
const graceMs = 5000;
/** Any client that can append to the topic can cause refused records; this limits their log messages. */
const logIntervalMs = 60_000;

/** Options of RefusedRecords. */
interface RefusedRecordsOptions {
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly onRefusedRecord: (reason: RecordRefusal) => void;
}

/**
 * Counts the refused records of a feed and logs at most one a minute. A partition with refused records makes the service not
 * ready while none of its records was valid yet, or none for 5 s. Single forged records between valid ones do not: otherwise any
 * client that can append could stop every reader.
 */
export class RefusedRecords {
  readonly #options: RefusedRecordsOptions;
  readonly #trusted = new Set<number>();
  /** Time of the first refused record since the last valid one, by partition. */
  readonly #since = new Map<number, number>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RefusedRecordsOptions) {
    this.#options = options;
  }

  /** The refusal to report for Kafka, while a partition is not trusted. */
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

import type { ChangeBatch, Revision } from '@binnacle/storage-contract';
import type { PartitionRecord } from './partition-chains.ts';

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

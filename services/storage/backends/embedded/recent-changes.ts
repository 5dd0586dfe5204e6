import type { Change, Revision } from '@binnacle/storage-contract';
import { maxBatchChanges, maxPageBytes } from '../page-bounds.ts';

/** Counts the bytes of a change. */
export function bytesOfChange({ key, value, previousValue }: Change): number {
  return key.length + value.length + previousValue.length;
}

interface Row {
  readonly changes: readonly Change[];
  readonly bytes: number;
}

/**
 * The changes of the latest revisions, about as many as a batch holds, for readers that are close to the end of the log. Changes
 * are added before they are committed; callers must check that a revision is.
 */
export class RecentChanges {
  readonly #rows = new Map<Revision, Row>();
  #bytes = 0;

  add(revision: Revision, changes: readonly Change[]): void {
    // The next transaction reuses the revision of one that was not committed.
    this.#remove(revision);
    let bytes = 0;
    for (const change of changes) bytes += bytesOfChange(change);
    this.#rows.set(revision, { changes, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= maxBatchChanges && this.#bytes <= maxPageBytes) break;
      this.#remove(oldest);
    }
  }

  get(revision: Revision): readonly Change[] | undefined {
    return this.#rows.get(revision)?.changes;
  }

  #remove(revision: Revision): void {
    const row = this.#rows.get(revision);
    if (row === undefined) return;
    this.#bytes -= row.bytes;
    this.#rows.delete(revision);
  }
}

/** Records of a page when the query names no limit. */
const defaultPageRecords = 500;

/** Most records of a page, whatever the query says. */
const maxPageRecords = 5000;

/** Bytes of keys and values after which a page, or a batch of changes, is full. */
export const maxPageBytes = 1_000_000;

/** Most changes of a batch, apart from those of one revision, which stay together. */
export const maxBatchChanges = 1000;

/** Milliseconds without a batch after which a stream of changes sends a progress note. */
export const progressIntervalMs = 1000;

/** Computes the most records of a page from the limit of the query. */
export function pageRecords(limit: number | undefined): number {
  return Math.min(limit ?? defaultPageRecords, maxPageRecords);
}

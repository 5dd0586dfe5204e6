import type { Revision } from '@binnacle/storage-contract';

/** Progress of one partition of the feed. */
export interface PartitionProgress {
  /** All changes of the partition from `start` up to this revision were received; 0 before the first message and after a gap. */
  revision: Revision;
  /** All changes after this revision were received since the start or the last gap; undefined before the first message. */
  start: Revision | undefined;
}

import type { Revision } from '@binnacle/storage-contract';

/** How far one partition of the feed has come. */
export interface PartitionProgress {
  /** Every change of the partition from its start up to here has come; 0 before the first message and after a gap. */
  revision: Revision;
  /** Changes after this revision have all come since the start or the last gap; undefined before the first message. */
  start: Revision | undefined;
}

import type { Storage } from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from './consistent-read.ts';

/** Services of the reading verbs. */
export interface ReadServices {
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly consistentReads: ConsistentReads;
}

import type { Storage } from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from './consistent-read.ts';

/** What the reading verbs work with. */
export interface ReadServices {
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly consistentReads: ConsistentReads;
}

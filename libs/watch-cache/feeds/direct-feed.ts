import type { Storage } from '@binnacle/storage-contract';
import type { WatchCacheClock, WatchCacheLog } from '../environment.ts';
import type { ChangeFeed } from '../feed.ts';

/** What a direct feed needs. */
export interface DirectFeedOptions {
  readonly storage: Pick<Storage, 'changes' | 'typeRevision'>;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** A number from 0 up to 1, for jitter; default Math.random. */
  readonly random?: () => number;
}

/** A feed that reads changes from storage itself: one partition for all types. */
export function createDirectFeed(options: DirectFeedOptions): ChangeFeed {
  throw new Error(String(options));
}

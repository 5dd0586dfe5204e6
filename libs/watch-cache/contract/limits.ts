const mib = 1024 * 1024;

/** The limits of a watch cache, each under the name of the flag that gateways have for it. Times are in milliseconds. */
export interface WatchCacheLimits {
  /** How long a change stays in the event window of its type. */
  readonly historyWindow: number;
  /** Events in the window of a type; the oldest ones leave it first. */
  readonly watchCacheMaxEvents: number;
  /** Bytes of objects in the window of a type; the oldest ones leave it first. */
  readonly watchCacheMaxEventBytes: number;
  /** Calls that wait for a revision of one type; more are refused. */
  readonly watchCacheMaxWaitingReads: number;
  /** Types that are listed at the same time. */
  readonly watchCacheConcurrentLists: number;
  /** Bytes of encoded initial state that are kept for watchers of the same thing, of all types together. */
  readonly watchCacheInitialStateBytes: number;
  /** Bytes of encoded past changes that are kept for the watchers of the same thing while they catch up. */
  readonly watchCacheReplayBytes: number;
  /** Watchers of one thing that would get more than this at once catch up on it piece by piece. */
  readonly watchCacheMaxBurstBytes: number;
  /** A watch that catches up and takes nothing for so long is ended as slow. */
  readonly watchCacheStallTimeout: number;
  /** Between two bookmarks of a watch. */
  readonly watchCacheBookmarkInterval: number;
}

/** The limits of a cache that is not told otherwise. */
export const defaultWatchCacheLimits: WatchCacheLimits = {
  historyWindow: 300_000,
  watchCacheMaxEvents: 100_000,
  watchCacheMaxEventBytes: 64 * mib,
  watchCacheMaxWaitingReads: 20_000,
  watchCacheConcurrentLists: 4,
  watchCacheInitialStateBytes: 32 * mib,
  watchCacheReplayBytes: 8 * mib,
  watchCacheMaxBurstBytes: 256 * 1024,
  watchCacheStallTimeout: 30_000,
  watchCacheBookmarkInterval: 60_000,
};

const mib = 1024 * 1024;

/** Limits of a watch cache, each named after its gateway flag. Times are in milliseconds. */
export interface WatchCacheLimits {
  /** How long a change stays in the event window of its type. */
  readonly historyWindow: number;
  /** Maximum number of events in the window of a type; the oldest are evicted first. */
  readonly watchCacheMaxEvents: number;
  /** Maximum bytes of objects in the window of a type; the oldest events are evicted first. */
  readonly watchCacheMaxEventBytes: number;
  /** Maximum number of calls that wait for a revision of one type; further calls are refused. */
  readonly watchCacheMaxWaitingReads: number;
  /** Maximum number of types listed concurrently. */
  readonly watchCacheConcurrentLists: number;
  /** Maximum bytes of encoded initial state that watchers of equal queries share, for all types together. */
  readonly watchCacheInitialStateBytes: number;
  /** Maximum bytes of encoded past changes that the catching-up watchers of one group share. */
  readonly watchCacheReplayBytes: number;
  /** Maximum bytes written at once to the live watchers of one group; with more pending, the watchers catch up in steps. */
  readonly watchCacheMaxBurstBytes: number;
  /** A catching-up watch whose client accepts nothing within this time ends as slow. */
  readonly watchCacheStallTimeout: number;
  /** Interval between two bookmarks of a watch. */
  readonly watchCacheBookmarkInterval: number;
}

/** Default limits of a watch cache. */
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

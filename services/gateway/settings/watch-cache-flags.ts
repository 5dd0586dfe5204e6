import { durationFlag, type Flag, flagGroup, historyWindowFlag, integerFlag } from '@binnacle/flags';
import { defaultWatchCacheLimits as defaults, type WatchCacheLimits } from '@binnacle/watch-cache';

const mib = 1024 * 1024;

/** The limits of the watch cache, each under its own name; what they bound and cost is said in docs/operations.md. */
export const watchCacheFlags = flagGroup('Watch cache', {
  historyWindow: historyWindowFlag('Time for which past events are kept for watches that resume.'),
  watchCacheMaxEvents: integerFlag({
    description: 'Past events kept of one type, whatever their age; watches that resume before them get 410.',
    default: defaults.watchCacheMaxEvents,
    min: 1,
  }),
  watchCacheMaxEventBytes: integerFlag({
    description: 'Bytes of objects in the past events kept of one type, whatever their age.',
    default: defaults.watchCacheMaxEventBytes,
    min: mib,
  }),
  watchCacheMaxWaitingReads: integerFlag({
    description: 'Reads of one type that wait for a newer revision at a time; more get 429.',
    default: defaults.watchCacheMaxWaitingReads,
    min: 1,
  }),
  watchCacheConcurrentLists: integerFlag({
    description: 'Types that are listed from storage at the same time, at the start and after a gap.',
    default: defaults.watchCacheConcurrentLists,
    min: 1,
    max: 100,
  }),
  watchCacheInitialStateBytes: integerFlag({
    description:
      'Bytes of encoded initial states kept for watches of all types that begin with the same objects.',
    default: defaults.watchCacheInitialStateBytes,
    min: mib,
  }),
  watchCacheReplayBytes: integerFlag({
    description: 'Bytes of encoded past events kept for watches that resume with the same request.',
    default: defaults.watchCacheReplayBytes,
    min: 64 * 1024,
  }),
  watchCacheMaxBurstBytes: integerFlag({
    description: 'Bytes of new events written to a watch at once; more are written in pieces.',
    default: defaults.watchCacheMaxBurstBytes,
    min: 64 * 1024,
  }),
  watchCacheStallTimeout: durationFlag({
    description:
      'Longest time for which the client of a watch that catches up may read nothing before the watch is ended.',
    default: defaults.watchCacheStallTimeout,
    min: 1_000,
  }),
  watchCacheBookmarkInterval: durationFlag({
    description: 'Time between two bookmarks of a watch that asks for them.',
    default: defaults.watchCacheBookmarkInterval,
    min: 1_000,
  }),
}) satisfies Record<keyof WatchCacheLimits, Flag<number>>;

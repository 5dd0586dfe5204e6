import type { ResourceDefinition } from '@binnacle/api-types';
import type { Storage } from '@binnacle/storage-contract';
import {
  type Environment,
  noMetrics,
  silentLog,
  systemClock,
  type WatchCacheClock,
  type WatchCacheLog,
  type WatchCacheMetrics,
} from './environment.ts';
import type { ChangeFeed } from './feed.ts';

/** What a watch cache is built from. */
export interface WatchCacheOptions {
  /** The types to hold; definitions that share a storage prefix share a replica. */
  readonly definitions: readonly ResourceDefinition[];
  /** Whether these are all types that it ever holds: it then reads no more of the feed than they need. Default: no. */
  readonly isFixed?: boolean;
  /** Where the types are listed. */
  readonly storage: Pick<Storage, 'list'>;
  readonly feed: ChangeFeed;
  /** How long a change stays in the event window, in ms; default 300000. */
  readonly historyWindow?: number;
  /** At most this many events a type stay in its window; default 100000. */
  readonly maxWindowEvents?: number;
  /** At most this many bytes of objects a type stay in its window; default 64 MiB. */
  readonly maxWindowBytes?: number;
  /** Between two bookmarks of a watch, in ms; default 60000. */
  readonly bookmarkIntervalMs?: number;
  /** At most this many calls wait for a revision of one type; default 20000. */
  readonly maxWaiters?: number;
  /** Bytes of encoded initial state that are kept for watchers of the same thing; default 32 MiB. */
  readonly initialStateBytes?: number;
  /** A watch that catches up and takes nothing for so long is ended as slow, in ms; default 30000. */
  readonly catchUpStallMs?: number;
  /** Watchers of one thing that would get more than this at once catch up on it piece by piece; default 256 KiB. */
  readonly maxBurstBytes?: number;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  readonly metrics?: WatchCacheMetrics;
}

/** The options with their defaults filled in. */
export interface WatchCacheSettings extends Required<Omit<WatchCacheOptions, 'clock' | 'log' | 'metrics'>> {
  readonly environment: Environment;
}

/** Fills in the defaults. */
export function settingsFrom(options: WatchCacheOptions): WatchCacheSettings {
  const { clock = systemClock, log = silentLog, metrics = noMetrics } = options;
  return {
    definitions: options.definitions,
    isFixed: options.isFixed ?? false,
    storage: options.storage,
    feed: options.feed,
    historyWindow: options.historyWindow ?? 300_000,
    maxWindowEvents: options.maxWindowEvents ?? 100_000,
    maxWindowBytes: options.maxWindowBytes ?? 64 * 1024 * 1024,
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? 60_000,
    maxWaiters: options.maxWaiters ?? 20_000,
    initialStateBytes: options.initialStateBytes ?? 32 * 1024 * 1024,
    catchUpStallMs: options.catchUpStallMs ?? 30_000,
    maxBurstBytes: options.maxBurstBytes ?? 256 * 1024,
    environment: { clock, log, metrics },
  };
}

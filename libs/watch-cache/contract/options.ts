import type { ResourceDefinition } from '@binnacle/api-types';
import type { Tracer } from '@binnacle/proto';
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
import { defaultWatchCacheLimits, type WatchCacheLimits } from './limits.ts';

/** Options of a watch cache. */
export interface WatchCacheOptions {
  /** The types to hold; definitions with the same storage prefix share a replica. */
  readonly definitions: readonly ResourceDefinition[];
  /**
   * Whether `definitions` are all types that the cache will ever hold: it then reads only the parts of the feed that carry them.
   * Default: false.
   */
  readonly isFixed?: boolean;
  /**
   * Whether the event windows are filled with changes from before the start, once the types are listed; for caches that serve
   * watches. Default: true.
   */
  readonly readsHistory?: boolean;
  /** The storage from which types are listed. */
  readonly storage: Pick<Storage, 'list'>;
  readonly feed: ChangeFeed;
  /** Overrides of the default limits. */
  readonly limits?: Partial<WatchCacheLimits>;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  readonly metrics?: WatchCacheMetrics;
  /** Records when traced changes were received and written to watches; undefined: nothing is recorded. */
  readonly tracer?: Tracer | undefined;
}

/** The options with their defaults filled in. */
export interface WatchCacheSettings
  extends Required<Omit<WatchCacheOptions, 'clock' | 'log' | 'metrics' | 'limits' | 'tracer'>> {
  readonly limits: WatchCacheLimits;
  readonly environment: Environment;
}

/** Fills in the defaults of the options. */
export function settingsFrom(options: WatchCacheOptions): WatchCacheSettings {
  const {
    clock = systemClock,
    log = silentLog,
    metrics = noMetrics,
    isFixed = false,
    readsHistory = true,
  } = options;
  const { definitions, storage, feed, tracer } = options;
  const limits = { ...defaultWatchCacheLimits, ...options.limits };
  const environment = { clock, log, metrics, tracer };
  return { definitions, isFixed, readsHistory, storage, feed, limits, environment };
}

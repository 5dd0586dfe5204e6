import type { WatchCache } from './contract.ts';
import type { WatchCacheOptions } from './options.ts';

/** Builds a cache and starts it: it lists its types and follows the feed until it is disposed of. */
export function createWatchCache(options: WatchCacheOptions): WatchCache {
  throw new Error(String(options));
}

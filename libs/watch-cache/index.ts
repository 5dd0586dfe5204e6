export type {
  CachedObject,
  CachePage,
  CacheQuery,
  TypeCache,
  WatchCache,
  WatchEncoding,
  WatchEnd,
  WatchedEvent,
  Watcher,
  WatchPreparation,
  WatchSink,
  WatchStart,
} from './contract/contract.ts';
export type { WatchCacheMetrics } from './contract/environment.ts';
export type { ChangeFeed } from './contract/feed.ts';
export { defaultWatchCacheLimits, type WatchCacheLimits } from './contract/limits.ts';
export { createDefinitionFollower } from './custom-definitions/definition-follower.ts';
export { createDirectFeed } from './feeds/direct-feed.ts';
export { createFailoverFeed } from './feeds/failover/failover-feed.ts';
export { createKafkaFeed } from './feeds/kafka/kafka-feed.ts';
export { createWatchCache } from './watch-cache.ts';

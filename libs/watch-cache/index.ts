export type {
  CachedObject,
  CacheEvent,
  CacheList,
  CacheQuery,
  TypeCache,
  WatchCache,
  WatchEncoding,
  WatchEnd,
  WatchedEvent,
  Watcher,
  WatchPreparation,
  WatchRequest,
  WatchSink,
  WatchStart,
} from './contract/contract.ts';
export type {
  WatchCacheClock,
  WatchCacheLog,
  WatchCacheMetrics,
  WatchCounter,
  WatchGauge,
  WatchStage,
} from './contract/environment.ts';
export type { ChangeFeed, FeedChange, FeedMessage } from './contract/feed.ts';
export { defaultWatchCacheLimits, type WatchCacheLimits } from './contract/limits.ts';
export type { WatchCacheOptions } from './contract/options.ts';
export { TypeNotHeld } from './contract/type-not-held.ts';
export {
  createDefinitionFollower,
  type DefinitionFollower,
  type DefinitionFollowerOptions,
} from './custom-definitions/definition-follower.ts';
export { createDirectFeed, type DirectFeedOptions } from './feeds/direct-feed.ts';
export { createKafkaFeed, type KafkaFeedOptions } from './feeds/kafka/kafka-feed.ts';
export { createWatchCache } from './watch-cache.ts';

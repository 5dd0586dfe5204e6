export type {
  CachedObject,
  CacheEvent,
  CacheList,
  CacheQuery,
  TypeCache,
  WatchCache,
  WatchEncoding,
  WatchEnd,
  Watcher,
  WatchedEvent,
  WatchRequest,
  WatchSink,
  WatchStart,
} from './contract.ts';
export type { ChangeFeed, FeedChange, FeedMessage } from './feed.ts';

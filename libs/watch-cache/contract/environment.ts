import type { Tracer } from '@binnacle/proto';

/** Operator log of the cache; compatible with the service's logger. */
export interface WatchCacheLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Stages of an event: published by storage to the feed, received by this process, written to the sinks of its watchers. */
type WatchStage = 'published' | 'received' | 'written';

/** Counters, per resource (`configmaps`, `deployments.apps`). */
type WatchCounter =
  /** Applied changes. */
  | 'events'
  /** Watches ended because their resourceVersion had left the event window. */
  | 'expired'
  /** Watches ended because their client was too slow. */
  | 'slow'
  /** Listings of a type after its first one. */
  | 'relists';

/** Gauges, per resource. */
type WatchGauge = 'objects' | 'watchers' | 'groups' | 'windowEvents' | 'windowBytes';

/** Receives the measurements of the cache. Called on hot paths: implementations keep their label children cached. */
export interface WatchCacheMetrics {
  /** Records the seconds that an event spent before the end of this stage. */
  observe(stage: WatchStage, seconds: number): void;
  /** Records that one event of `bytes` bytes was written to `times` live watches; called once for each event and watch group. */
  delivered(resource: string, bytes: number, times: number): void;
  count(counter: WatchCounter, resource: string, by: number): void;
  level(gauge: WatchGauge, resource: string, value: number): void;
}

/** Clock of the cache. */
export interface WatchCacheClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary start, never decreasing, for durations. */
  monotonic(): number;
  /** Calls back once after `milliseconds`, without keeping the process alive; returns a function that cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Clock of the machine. */
export const systemClock: WatchCacheClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A log that discards everything. */
export const silentLog: WatchCacheLog = { info() {}, warn() {}, error() {} };

/** Metrics that discard everything. */
export const noMetrics: WatchCacheMetrics = { observe() {}, delivered() {}, count() {}, level() {} };

/** Clock, log, metrics and tracer shared by all parts of a cache. */
export interface Environment {
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly metrics: WatchCacheMetrics;
  /** Undefined: no spans are recorded. */
  readonly tracer: Tracer | undefined;
}

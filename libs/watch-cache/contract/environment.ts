/** The log of the cache for operators; the service's logger fits. */
export interface WatchCacheLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** The way of an event: from storage to the feed, to this process, and into the sinks of its watchers. */
type WatchStage = 'published' | 'received' | 'written';

/** Things that are counted, per resource (`configmaps`, `deployments.apps`). */
type WatchCounter =
  /** Changes applied. */
  | 'events'
  /** Watches ended because their resourceVersion had left the history window. */
  | 'expired'
  /** Watches ended because their client was too slow. */
  | 'slow'
  /** Listings of a type after its first. */
  | 'relists';

/** Things that have a level, per resource. */
type WatchGauge = 'objects' | 'watchers' | 'groups' | 'windowEvents' | 'windowBytes';

/** Where the cache reports its measurements. Called often: implementations keep their children at hand. */
export interface WatchCacheMetrics {
  /** Seconds that an event spent in the stage that ends here. */
  observe(stage: WatchStage, seconds: number): void;
  /** An event of so many bytes was written to so many live watches; called once for each group of them. */
  delivered(resource: string, bytes: number, times: number): void;
  count(counter: WatchCounter, resource: string, by: number): void;
  level(gauge: WatchGauge, resource: string, value: number): void;
}

/** Time as the cache sees it. */
export interface WatchCacheClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds from some beginning, that never go back: for how long something took. */
  monotonic(): number;
  /** Calls back once after some milliseconds, without keeping the process alive; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The clock of the machine. */
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

/** Metrics that are discarded. */
export const noMetrics: WatchCacheMetrics = { observe() {}, delivered() {}, count() {}, level() {} };

/** The environment that every part of a cache shares. */
export interface Environment {
  readonly clock: WatchCacheClock;
  readonly log: WatchCacheLog;
  readonly metrics: WatchCacheMetrics;
}

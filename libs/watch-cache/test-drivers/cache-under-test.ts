import { createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import type { Deadline } from '@binnacle/proto';
import type { TypeCache, WatchCache, Watcher, WatchRequest } from '../contract/contract.ts';
import type { WatchCacheClock } from '../contract/environment.ts';
import type { WatchCacheOptions } from '../contract/options.ts';
import { createWatchCache } from '../watch-cache.ts';
import { ChangeLog } from './change-log.ts';
import { lineEncoding, RecordingSink } from './recording-sink.ts';

const registry = createTypeRegistry();

/** Returns a definition of the core group by its plural name. */
export function coreDefinition(plural: string): ResourceDefinition {
  const definition = registry.resource('', 'v1', plural);
  if (definition === undefined) throw new Error(`no definition of ${plural}`);
  return definition;
}

export const configMaps: ResourceDefinition = coreDefinition('configmaps');
export const pods: ResourceDefinition = coreDefinition('pods');

/** A clock that a test advances. */
export class ManualClock implements WatchCacheClock {
  #now = 1_000_000;
  /** Offset to the machine's monotonic clock, which deadlines of the cache's own calls use. */
  readonly #behind = 1_000_000 - Math.ceil(performance.now());
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#behind;
  }

  /** Returns the deadline `milliseconds` from now, by this clock. */
  deadlineIn(milliseconds: number): Deadline {
    return (this.monotonic() + milliseconds) as Deadline; // This clock replaces the monotonic one.
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the time, timer by timer. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = end;
  }
}

/** A cache on a change log, with a clock for both. */
export interface CacheUnderTest extends AsyncDisposable {
  readonly log: ChangeLog;
  readonly cache: WatchCache;
  readonly clock: ManualClock;
  readonly configMaps: TypeCache;
  readonly pods: TypeCache;
}

/** Creates a cache on a log; `before` writes to the log first. The cache is not ready before the first due delivery. */
export async function startCache(
  options: Partial<WatchCacheOptions> & { readonly before?: (log: ChangeLog) => void } = {},
): Promise<CacheUnderTest> {
  const { before, ...rest } = options;
  const log = new ChangeLog();
  before?.(log);
  log.lose();
  const clock = new ManualClock();
  const cache = createWatchCache({
    definitions: [configMaps, pods],
    storage: log.storage,
    feed: log.feed,
    clock,
    readsHistory: false,
    ...rest,
  });
  await cache.ready();
  log.deliver();
  return {
    log,
    cache,
    clock,
    configMaps: cache.type(configMaps),
    pods: cache.type(pods),
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
}

/** Starts a watch into a sink of its own. */
export function watchInto(
  type: TypeCache,
  request: Partial<WatchRequest> & Pick<WatchRequest, 'start'>,
  sink = new RecordingSink(),
): { readonly sink: RecordingSink; readonly watcher: Watcher } {
  const watcher = type.watch({ encoding: lineEncoding(), bookmarks: false, sink, ...request });
  return { sink, watcher };
}

/** Runs turns of the event loop until the cache has no work in progress. */
export async function settle(turns = 6): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve));
}

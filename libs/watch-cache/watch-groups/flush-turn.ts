import type { WatchCacheClock } from '../contract/environment.ts';

/** Something that holds frames back until the end of the turn. */
export interface Flushable {
  flush(): void;
}

/** The share of the time that flushing may take while events come faster than they are written: one in four. */
const throttlePerFlush = 3;
/** The longest that an event waits for a throttle to end. */
const longestThrottleMs = 50;

/**
 * Flushes at the end of a turn of the event loop: what arrives within one turn, from several messages of the feed
 * too, is written together.
 *
 * Writing to a thousand sockets costs nearly the same for one event as for ten. So after a flush that took long the
 * next one waits in proportion, and takes with it what arrived meanwhile: a group that is large enough to keep the
 * process busy gets its events in batches, at a fraction of the cost each, and requests find room between them. A
 * flush that took less than a millisecond is followed by no throttle.
 */
export class FlushTurn {
  readonly #clock: Pick<WatchCacheClock, 'after' | 'monotonic'>;
  readonly #onThrottle: (milliseconds: number) => void;
  #waiting: Flushable[] = [];
  #throttledUntil = 0;

  /** `onThrottle` is called with every throttle, in milliseconds: nothing that comes meanwhile is written before it is over. */
  constructor(
    clock: Pick<WatchCacheClock, 'after' | 'monotonic'>,
    onThrottle: (milliseconds: number) => void = () => {},
  ) {
    this.#clock = clock;
    this.#onThrottle = onThrottle;
  }

  /** Has something flushed at the end of this turn, or of the throttle; called once for each until then. */
  schedule(flushable: Flushable): void {
    this.#waiting.push(flushable);
    if (this.#waiting.length > 1) return;
    const throttleMs = this.#throttledUntil - this.#clock.monotonic();
    if (throttleMs >= 1) this.#clock.after(throttleMs, () => this.#run());
    else setImmediate(() => this.#run());
  }

  #run(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const started = this.#clock.monotonic();
    for (const flushable of waiting) flushable.flush();
    const ended = this.#clock.monotonic();
    const throttleMs = Math.min((ended - started) * throttlePerFlush, longestThrottleMs);
    this.#throttledUntil = ended + throttleMs;
    if (throttleMs >= 1) this.#onThrottle(throttleMs);
  }
}

import type { WatchCacheClock } from '../contract/environment.ts';

/** Holds frames back until the end of the turn. */
export interface Flushable {
  flush(): void;
}

/** Throttle time per flush time: flushing takes at most a quarter of the time when events arrive faster than they are written. */
const throttlePerFlush = 3;
/** Longest throttle of an event, in ms. */
const longestThrottleMs = 50;

/**
 * Flushes at the end of a turn of the event loop: events that arrive within one turn, even in several feed messages, are written
 * together.
 *
 * Writing to a thousand sockets costs nearly the same for one event as for ten. Therefore a flush that took long is followed by a
 * proportional throttle, after which all events that arrived meanwhile are written in one batch. A group large enough to keep the
 * process busy receives its events in cheaper batches, and requests are served between them. Throttles under 1 ms are skipped.
 */
export class FlushTurn {
  readonly #clock: Pick<WatchCacheClock, 'after' | 'monotonic'>;
  readonly #onThrottle: (milliseconds: number) => void;
  #waiting: Flushable[] = [];
  #throttledUntil = 0;

  /** `onThrottle` is called with the length of every throttle in ms: nothing is written before it has passed. */
  constructor(
    clock: Pick<WatchCacheClock, 'after' | 'monotonic'>,
    onThrottle: (milliseconds: number) => void = () => {},
  ) {
    this.#clock = clock;
    this.#onThrottle = onThrottle;
  }

  /** Schedules a flush for the end of this turn or throttle; called once per flushable until it is flushed. */
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

import type { WatchCacheClock } from '../contract/environment.ts';

/** Something that holds frames back until the end of the turn. */
export interface Flushable {
  flush(): void;
}

/** The share of the time that flushing may take while events come faster than they are written: one in four. */
const restsPerFlush = 3;
/** The longest that an event waits for a rest to end. */
const longestThrottleMs = 50;

/**
 * Flushes at the end of a turn of the event loop: what arrives within one turn, from several messages of the feed
 * too, is written together.
 *
 * Writing to a thousand sockets costs nearly the same for one event as for ten. So after a flush that took long the
 * next one waits in proportion, and takes with it what arrived meanwhile: a group that is large enough to keep the
 * process busy gets its events in batches, at a fraction of the cost each, and requests find room between them. A
 * flush that took less than a millisecond is followed by no rest.
 */
export class FlushTurn {
  readonly #clock: Pick<WatchCacheClock, 'after' | 'monotonic'>;
  readonly #onRest: (milliseconds: number) => void;
  #waiting: Flushable[] = [];
  #restsUntil = 0;

  /** `onRest` hears of every rest, in milliseconds: nothing that comes meanwhile is written before it is over. */
  constructor(
    clock: Pick<WatchCacheClock, 'after' | 'monotonic'>,
    onRest: (milliseconds: number) => void = () => {},
  ) {
    this.#clock = clock;
    this.#onRest = onRest;
  }

  /** Has something flushed at the end of this turn, or of the rest; called once for each until then. */
  schedule(flushable: Flushable): void {
    this.#waiting.push(flushable);
    if (this.#waiting.length > 1) return;
    const rest = this.#restsUntil - this.#clock.monotonic();
    if (rest >= 1) this.#clock.after(rest, () => this.#run());
    else setImmediate(() => this.#run());
  }

  #run(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const started = this.#clock.monotonic();
    for (const flushable of waiting) flushable.flush();
    const ended = this.#clock.monotonic();
    const rest = Math.min((ended - started) * restsPerFlush, longestThrottleMs);
    this.#restsUntil = ended + rest;
    if (rest >= 1) this.#onRest(rest);
  }
}

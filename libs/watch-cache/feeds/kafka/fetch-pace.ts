import type { WatchCacheClock } from '../../environment.ts';

/** Fetches in a row that never wait. */
const burst = 16;
/** Milliseconds between fetches once a burst is used up. */
const intervalMs = 5;
/** A fetch that brought at least this many bytes shows a reader that is behind: the next one follows at once. */
const largeBytes = 128 * 1024;

/**
 * Decides how long a reader rests before its next fetch, as network drivers moderate interrupts.
 *
 * A broker answers a fetch as soon as there is one record, so a busy topic would cost it one request a record and reader.
 * Small fetches therefore draw on an allowance of 16 that grows by one every 5 ms; without it the reader rests. A
 * reader that fetches fewer than 200 times a second never rests, nor does one that is behind.
 */
export class FetchPace {
  readonly #clock: Pick<WatchCacheClock, 'monotonic'>;
  #allowance = burst;
  #countedAt: number;

  constructor(clock: Pick<WatchCacheClock, 'monotonic'>) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  /** Milliseconds to rest after a fetch that brought so many bytes, 0 for a fetch that ran out of time. */
  restAfter(bytes: number): number {
    const now = this.#clock.monotonic();
    this.#allowance = Math.min(burst, this.#allowance + (now - this.#countedAt) / intervalMs);
    this.#countedAt = now;
    if (bytes === 0 || bytes >= largeBytes) return 0;
    // A reader that did not rest although it should have, because a call waited, owes no more than one rest.
    this.#allowance = Math.max(this.#allowance - 1, -1);
    return this.#allowance >= 0 ? 0 : -this.#allowance * intervalMs;
  }
}

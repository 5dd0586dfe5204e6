import { pause } from '@binnacle/event-loop';
import type { WatchCacheClock } from '../contract/environment.ts';

/** Watches that end in one turn of the event loop when they need not be spread. */
const endedATurn = 500;
/** Milliseconds between two ends at most: one handshake costs some milliseconds. */
const longestIntervalMs = 20;
/** Milliseconds that are worth a timer. */
const shortestThrottleMs = 10;

const never = new AbortController().signal;

/**
 * The pace at which watches end when a server stops. Their clients begin them anew elsewhere, over HTTP/1.1 each with a new
 * connection: spread over some time, these handshakes do not delay each other.
 */
export class DrainPace {
  readonly #clock: WatchCacheClock;
  readonly #intervalMs: number;
  readonly #startedAt: number;
  #ended = 0;

  /** For so many watches, within so many milliseconds; 0 does not spread them. */
  constructor(clock: WatchCacheClock, watches: number, overMs: number) {
    this.#clock = clock;
    this.#intervalMs = Math.min(longestIntervalMs, overMs / Math.max(watches, 1));
    this.#startedAt = clock.monotonic();
  }

  /** Waits until the next watch may end. */
  async next(): Promise<void> {
    const throttleMs = this.#startedAt + this.#ended * this.#intervalMs - this.#clock.monotonic();
    this.#ended++;
    if (throttleMs >= shortestThrottleMs) await pause(throttleMs, never, { clock: this.#clock });
    else if (this.#ended % endedATurn === 0) await new Promise(resolve => setImmediate(resolve));
  }
}

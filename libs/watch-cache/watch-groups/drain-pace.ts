import { pause } from '@binnacle/event-loop';
import type { WatchCacheClock } from '../contract/environment.ts';

/** Number of watches that end in one turn of the event loop when the ends are not spread. */
const endedATurn = 500;
/** Longest interval in ms between two ends: one handshake takes a few milliseconds. */
const longestIntervalMs = 20;
/** Shorter pauses, in ms, do not use a timer. */
const shortestThrottleMs = 10;

const never = new AbortController().signal;

/**
 * The pace at which watches end when a server stops. Clients restart them on another server, over HTTP/1.1 each with a new
 * connection; spreading the ends keeps these handshakes from delaying each other.
 */
export class DrainPace {
  readonly #clock: WatchCacheClock;
  readonly #intervalMs: number;
  readonly #startedAt: number;
  #ended = 0;

  /** Spreads the ends of `watches` watches over `overMs` milliseconds; 0: no spreading. */
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

import { pause } from '@binnacle/event-loop';
import type { WatchCacheClock } from '../contract/environment.ts';

const firstMs = 50;
const longestWaitMs = 2000;

/** Longest wait between attempts that the other side refuses: only a change of its settings or ours can help. */
export const refusedLongestMs = 10_000;

/** Waits between attempts: twice as long each time up to 2 s, with jitter so that replicas do not come all at once. */
export class BackOff {
  readonly #clock: WatchCacheClock;
  readonly #random: () => number;
  #milliseconds = firstMs;

  constructor(clock: WatchCacheClock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The last attempt went well. */
  reset(): void {
    this.#milliseconds = firstMs;
  }

  /** Waits before the next attempt; less when the signal aborts. `longestMs`: the longest wait it may grow to. */
  async wait(signal: AbortSignal, longestMs = longestWaitMs): Promise<void> {
    const milliseconds = this.#milliseconds * (0.5 + this.#random() / 2);
    this.#milliseconds = Math.min(longestMs, this.#milliseconds * 2);
    await pause(milliseconds, signal, { clock: this.#clock });
  }
}

import { pause } from '@binnacle/event-loop';

/** The rate of a token bucket. */
export interface ThrottleRate {
  readonly perSecond: number;
  /** Most tokens that can be taken at once after a pause. */
  readonly burst: number;
}

/** A token bucket for one caller, which waits for each token before it asks for the next. */
export class Throttle {
  readonly #rate: ThrottleRate;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(rate: ThrottleRate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
    this.#tokens = rate.burst;
    this.#filledAt = now();
  }

  /** Resolves when there is a token, which is taken, or when the signal aborts. */
  async take(signal: AbortSignal): Promise<void> {
    this.#fill();
    if (this.#tokens < 1) {
      await pause(((1 - this.#tokens) * 1000) / this.#rate.perSecond, signal);
      this.#fill();
    }
    this.#tokens = Math.max(0, this.#tokens - 1);
  }

  #fill(): void {
    const now = this.#now();
    const gained = ((now - this.#filledAt) * this.#rate.perSecond) / 1000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#filledAt = now;
  }
}

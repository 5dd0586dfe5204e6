/** How many frames that ask for an answer a client may send: so many at once, and so many a second. */
const burst = 200;
const perSecond = 20;

/** Bounds frames that cost the server work without being requests: PING and SETTINGS, each of which it answers. */
export class FrameBudget {
  #left = burst;
  #filledAt: number;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** Counts one frame at a time in ms; false when there are too many. */
  take(now: number): boolean {
    this.#left = Math.min(burst, this.#left + ((now - this.#filledAt) * perSecond) / 1000);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}

import { type PauseClock, pause } from './pause.ts';

/** How pauses grow, in milliseconds. */
interface BackoffOptions {
  readonly firstMs: number;
  /** Default: as long as they grow. */
  readonly longestMs?: number;
  /** How many times as long each is as the one before; default 2. */
  readonly factor?: number;
  /** At least 0, below 1; `Math.random` when not given. */
  readonly random?: () => number;
  /** The clock of `wait`; by default timers that keep the process alive. */
  readonly clock?: PauseClock;
}

/**
 * Pauses between attempts that fail: each is twice, or `factor` times, as long as the one before, up to the longest. A random part of up to half is
 * taken off each, so that those that failed together do not come back together.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #wholeMs: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#wholeMs = options.firstMs;
  }

  /** Milliseconds to the next attempt after one that failed; `longestMs` holds for this failure alone. */
  next(longestMs = this.#options.longestMs ?? Number.POSITIVE_INFINITY): number {
    const { random = Math.random, factor = 2 } = this.#options;
    const wholeMs = Math.min(this.#wholeMs, longestMs);
    this.#wholeMs = wholeMs * factor;
    return wholeMs * (1 - random() / 2);
  }

  /** Pauses before the next attempt; ends early when the signal aborts. `longestMs` as for `next`. */
  wait(signal: AbortSignal, longestMs?: number): Promise<void> {
    const { clock } = this.#options;
    return pause(this.next(longestMs), signal, clock && { clock });
  }

  /** Begins anew, after an attempt that worked. */
  reset(): void {
    this.#wholeMs = this.#options.firstMs;
  }
}

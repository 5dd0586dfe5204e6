/** How pauses grow, in milliseconds. */
interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** At least 0, below 1; `Math.random` when not given. */
  readonly random?: () => number;
}

/**
 * Pauses between attempts that fail: each is twice as long as the one before, up to the longest. A random part of up to half is
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
  next(longestMs: number = this.#options.longestMs): number {
    const { random = Math.random } = this.#options;
    const wholeMs = Math.min(this.#wholeMs, longestMs);
    this.#wholeMs = wholeMs * 2;
    return wholeMs * (1 - random() / 2);
  }

  /** Begins anew, after an attempt that worked. */
  reset(): void {
    this.#wholeMs = this.#options.firstMs;
  }
}

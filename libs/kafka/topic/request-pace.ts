/** How often small requests may follow each other. */
interface RequestPaceOptions {
  /** Requests in a row that never wait. */
  readonly burst: number;
  /** Milliseconds between requests once a burst is used up. */
  readonly intervalMs: number;
  /** Milliseconds from some beginning, that never go back. */
  readonly monotonic: () => number;
}

/** A request that moved at least this many bytes shows a client that is behind: the next one follows at once. */
const largeBytes = 128 * 1024;

/**
 * Decides how long a client of a topic is throttled before its next request, as network drivers moderate interrupts.
 *
 * A request costs both sides much the same for one record as for a hundred, and small ones follow each other as fast as
 * they are answered. They draw on an allowance of `burst` that grows by one every `intervalMs`; without it the client is throttled.
 * One that makes fewer requests than that is never throttled, nor is one that is behind.
 */
export class RequestPace {
  readonly #options: RequestPaceOptions;
  #allowance: number;
  #countedAt: number;

  constructor(options: RequestPaceOptions) {
    this.#options = options;
    this.#allowance = options.burst;
    this.#countedAt = options.monotonic();
  }

  /**
   * Milliseconds of throttle after a request that moved so many bytes, 0 for one that moved nothing. A client that is not behind
   * is throttled for `atLeastMs`, whatever the allowance.
   */
  throttleAfter(bytes: number, atLeastMs = 0): number {
    const { burst, intervalMs, monotonic } = this.#options;
    const now = monotonic();
    this.#allowance = Math.min(burst, this.#allowance + (now - this.#countedAt) / intervalMs);
    this.#countedAt = now;
    if (bytes === 0 || bytes >= largeBytes) return 0;
    // A client that skipped throttles because a call waited owes at most one.
    this.#allowance = Math.max(this.#allowance - 1, -1);
    return Math.max(atLeastMs, -this.#allowance * intervalMs, 0);
  }
}

import { type PauseClock, pause } from './pause.ts';

/** Options of a backoff. */
interface BackoffOptions {
  readonly firstMs: number;
  /** Maximum pause, in ms; default: unlimited. */
  readonly longestMs?: number;
  /** Factor between two pauses; default: 2. */
  readonly factor?: number;
  /** A random number in [0, 1); default: `Math.random`. */
  readonly random?: () => number;
  /** The clock of `wait`; default: timers that keep the process alive. */
  readonly clock?: PauseClock;
}

/**
 * Exponential backoff between failed attempts: each pause is `factor` times the previous one, up to the maximum. A
 * random part of up to half is subtracted, so that clients that failed together do not retry together.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #wholeMs: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#wholeMs = options.firstMs;
  }

  /** Returns the pause after a failed attempt, in ms; `longestMs` limits this pause. */
  next(longestMs = this.#options.longestMs ?? Number.POSITIVE_INFINITY): number {
    const { random = Math.random, factor = 2 } = this.#options;
    const wholeMs = Math.min(this.#wholeMs, longestMs);
    this.#wholeMs = wholeMs * factor;
    return wholeMs * (1 - random() / 2);
  }

  /** Waits for the pause before the next attempt, or until the signal aborts. `longestMs` as for `next`. */
  wait(signal: AbortSignal, longestMs?: number): Promise<void> {
    const { clock } = this.#options;
    return pause(this.next(longestMs), signal, clock && { clock });
  }

  /** Resets the pause to `firstMs`, after a successful attempt. */
  reset(): void {
    this.#wholeMs = this.#options.firstMs;
  }
}

import { pause } from '@binnacle/event-loop';
import { RequestPace } from '@binnacle/kafka';
import type { Revision } from '@binnacle/storage-contract';

/** Requests in a row that never wait. */
const burst = 16;

/** Milliseconds between requests once a burst is used up. */
const intervalMs = 25;

/** Time as a pace sees it. */
export interface PaceClock {
  /** Milliseconds from some beginning, that never go back. */
  monotonic(): number;
  /** Calls back once after some milliseconds; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

const systemClock: PaceClock = {
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * The pace at which the publisher makes requests: what is committed during a throttle goes out in one, as few records, and every
 * reader fetches it in one. Up to forty requests a second, and the first sixteen after a quiet time, never wait.
 *
 * A consistent read asks storage for a revision, then waits until its gateway has received that revision from the feed. The
 * handler that returns a revision therefore passes it to `want`, and the publisher is not throttled before it is published.
 */
export class PublishPace {
  readonly #clock: PaceClock;
  readonly #pace: RequestPace;
  #published: Revision = 0;
  #wanted: Revision = 0;
  #endThrottle: (() => void) | undefined;

  constructor(clock: PaceClock = systemClock) {
    this.#clock = clock;
    this.#pace = new RequestPace({ burst, intervalMs, monotonic: () => clock.monotonic() });
  }

  /** A session begins. The store may have been restored to an older state, so earlier wanted revisions no longer count. */
  begin(): void {
    this.#published = 0;
    this.#wanted = 0;
  }

  /** A read may now wait for this revision. */
  want(revision: Revision): void {
    this.#wanted = Math.max(this.#wanted, revision);
    if (this.#wanted > this.#published) this.#endThrottle?.();
  }

  /**
   * Waits after a request of so many bytes, with which everything up to a revision is published. Ends at once when a later
   * revision is wanted, and when the signal aborts.
   */
  async throttle(published: Revision, bytes: number, signal: AbortSignal): Promise<void> {
    this.#published = published;
    const milliseconds = this.#pace.throttleAfter(bytes);
    if (milliseconds === 0 || this.#wanted > published) return;
    const wakeBy = (wake: () => void) => {
      this.#endThrottle = wake;
      return () => {
        this.#endThrottle = undefined;
      };
    };
    await pause(milliseconds, signal, { clock: this.#clock, wakeBy });
  }
}

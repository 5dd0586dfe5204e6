import { pause } from '@binnacle/event-loop';

/**
 * The pace of the change feed, at both ends of its topic.
 *
 * A request costs both sides about the same for 1 record as for 100, and small requests would follow each other as fast
 * as they are answered. Clients of the topic are therefore throttled, as network drivers moderate interrupts: small
 * requests draw on an allowance of 16 that grows by one with each interval; without allowance a client waits. A client
 * that makes fewer requests, or is behind, is never throttled.
 *
 * | throttled | interval | longer | ends at once |
 * |---|---|---|---|
 * | the publisher, after a request (`PublishPace`) | 25 ms | never | when a read wants a revision that is not published |
 * | each loop of a reader, after a fetch (`FetchPace`) | 5 ms | while its watches are throttled | while a call waits for the feed |
 * | each loop of a reader without watches | 250 ms | never | while a call waits for the feed, and for a first watch |
 *
 * Watches are throttled after a long flush (`FlushTurn` of the watch cache), which notifies the feed, so that nothing is
 * fetched that could not be sent yet. The direct stream from storage is not paced: its batches are those of the store's
 * commits.
 */
const publishing = { burst: 16, intervalMs: 25 };
const fetching = { burst: 16, intervalMs: 5 };
/**
 * A fetch costs a reader about as much as 100 changes; at this interval a fetch brings enough of them to make its share
 * small.
 */
const unwatchedIntervalMs = 250;

/** Size of a request from which the client counts as behind, in bytes: the next one follows at once. */
const largeBytes = 128 * 1024;

/** Time before the end of a throttle of the watches at which a fetch starts, in ms, so that its changes arrive by that end. */
const fetchMs = 8;

/** The clock of a pace. */
export interface PaceClock {
  /** Monotonic time in ms. */
  monotonic(): number;
  /** Calls back once after so many milliseconds; returns a function that cancels the timer. */
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
 * The pace at which the publisher makes requests: changes committed during a throttle are sent in one request, as few
 * records, which every reader fetches at once.
 *
 * A consistent read asks storage for a revision, then waits until its gateway has received that revision from the feed.
 * The handler that returns a revision therefore passes it to `want`, and the publisher is not throttled until that
 * revision is published.
 */
export class PublishPace {
  readonly #clock: PaceClock;
  readonly #allowance: RequestAllowance;
  #published = 0;
  #wanted = 0;
  #endThrottle: (() => void) | undefined;

  constructor(clock: PaceClock = systemClock) {
    this.#clock = clock;
    this.#allowance = new RequestAllowance(publishing, clock);
  }

  /** Starts a session. Earlier wanted revisions no longer count, because the store may have been restored to an older state. */
  begin(): void {
    this.#published = 0;
    this.#wanted = 0;
  }

  /** Notes that a read may wait for this revision. */
  want(revision: number): void {
    this.#wanted = Math.max(this.#wanted, revision);
    if (this.#wanted > this.#published) this.#endThrottle?.();
  }

  /**
   * Throttles after a request of so many bytes, which published everything up to a revision. Ends at once when a later
   * revision is wanted, or when the signal aborts.
   */
  async throttle(published: number, bytes: number, signal: AbortSignal): Promise<void> {
    this.#published = published;
    const milliseconds = this.#allowance.throttleAfter(bytes);
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

/** The pace at which a reader of the topic makes fetches: one loop for each broker, each with its own allowance. */
export class FetchPace {
  readonly #clock: PaceClock;
  /** Number of calls that wait for the feed. */
  #expedited = 0;
  /** Monotonic time before which no change is sent to a watch. */
  #unwantedUntil = 0;
  #isWatched = true;
  /** Functions that end the throttles under way. */
  readonly #throttles = new Set<() => void>();

  constructor(clock: PaceClock) {
    this.#clock = clock;
  }

  /** Suspends throttling until the result is disposed of. */
  expedite(): Disposable {
    this.#expedited++;
    for (const wake of this.#throttles) wake();
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#expedited--;
        isHeld = false;
      },
    };
  }

  /** Throttles the loops after their next fetch, because watches are throttled for so long. */
  throttleFor(milliseconds: number): void {
    this.#unwantedUntil = this.#clock.monotonic() + milliseconds - fetchMs;
  }

  /** Sets whether changes are sent to any watch; initially true. */
  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (isWatched) for (const wake of this.#throttles) wake();
  }

  /**
   * Starts a loop. The returned function throttles after a fetch of so many bytes, so that changes accumulate; it ends
   * at once while the loops are expedited, or when the signal aborts.
   */
  beginLoop(signal: AbortSignal): (bytes: number) => Promise<void> {
    const allowance = new RequestAllowance(fetching, this.#clock);
    const wakeBy = (wake: () => void) => {
      this.#throttles.add(wake);
      return () => this.#throttles.delete(wake);
    };
    return async bytes => {
      const milliseconds = allowance.throttleAfter(bytes, {
        atLeastMs: this.#unwantedUntil - this.#clock.monotonic(),
        intervalMs: this.#isWatched ? fetching.intervalMs : unwatchedIntervalMs,
      });
      if (milliseconds === 0 || this.#expedited > 0) return;
      await pause(milliseconds, signal, { clock: this.#clock, wakeBy });
    };
  }
}

/** The allowance of requests that a client of the topic may make without a throttle. */
class RequestAllowance {
  readonly #options: typeof publishing;
  readonly #clock: PaceClock;
  #left: number;
  #countedAt: number;

  constructor(options: typeof publishing, clock: PaceClock) {
    this.#options = options;
    this.#clock = clock;
    this.#left = options.burst;
    this.#countedAt = clock.monotonic();
  }

  /**
   * Returns the throttle after a request of so many bytes, in ms; 0 for a request without bytes, and for a client that
   * is behind. Any other client is throttled for at least `atLeastMs`, whatever its allowance. `intervalMs` is the
   * current interval; default: that of the options.
   */
  throttleAfter(
    bytes: number,
    {
      atLeastMs = 0,
      intervalMs = this.#options.intervalMs,
    }: { atLeastMs?: number; intervalMs?: number } = {},
  ): number {
    const { burst } = this.#options;
    const now = this.#clock.monotonic();
    this.#left = Math.min(burst, this.#left + (now - this.#countedAt) / intervalMs);
    this.#countedAt = now;
    if (bytes === 0 || bytes >= largeBytes) return 0;
    // A client whose throttles were skipped for a waiting call owes at most one request.
    this.#left = Math.max(this.#left - 1, -1);
    return Math.max(atLeastMs, -this.#left * intervalMs, 0);
  }
}

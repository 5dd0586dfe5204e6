import { pause } from '@binnacle/event-loop';

/**
 * The pace of the change feed, at both ends of its topic.
 *
 * A request costs both sides much the same for one record as for a hundred, and small ones follow each other as fast as
 * they are answered. So clients of the topic are throttled, as network drivers moderate interrupts: small requests draw on an
 * allowance of 16 that grows by one with each interval; without it a client waits. One that makes fewer requests is never
 * throttled, nor is one that is behind.
 *
 * | throttled | interval | longer | ends at once |
 * |---|---|---|---|
 * | the publisher, after a request (`PublishPace`) | 25 ms | never | when a read wants a revision that is not published |
 * | each loop of a reader, after a fetch (`FetchPace`) | 5 ms | while its watches are throttled | while a call waits for the feed |
 * | the same, of a reader without watches | 250 ms | never | while a call waits for the feed, and for a first watch |
 *
 * Watches are throttled after a flush that took long (`FlushTurn` of the watch cache), which tells the feed, so that nothing is
 * fetched that could not go out yet. The stream that storage sends directly is not paced: its batches are those of the store's commits.
 */
const publishing = { burst: 16, intervalMs: 25 };
const fetching = { burst: 16, intervalMs: 5 };
/** A fetch costs a reader as much as some hundred changes: it takes that many to make its part of each as small as their own. */
const unwatchedIntervalMs = 250;

/** A request that moved at least this many bytes shows a client that is behind: the next one follows at once. */
const largeBytes = 128 * 1024;

/** Milliseconds before the end of a throttle of the watches at which a fetch begins, so that it brings what can go out then. */
const fetchMs = 8;

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
 * reader fetches it in one.
 *
 * A consistent read asks storage for a revision, then waits until its gateway has received that revision from the feed. The
 * handler that returns a revision therefore passes it to `want`, and the publisher is not throttled before it is published.
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

  /** A session begins. The store may have been restored to an older state, so earlier wanted revisions no longer count. */
  begin(): void {
    this.#published = 0;
    this.#wanted = 0;
  }

  /** A read may now wait for this revision. */
  want(revision: number): void {
    this.#wanted = Math.max(this.#wanted, revision);
    if (this.#wanted > this.#published) this.#endThrottle?.();
  }

  /**
   * Waits after a request of so many bytes, with which everything up to a revision is published. Ends at once when a later
   * revision is wanted, and when the signal aborts.
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

/** The pace at which a reader of the topic makes fetches: one loop a broker, each with an allowance of its own. */
export class FetchPace {
  readonly #clock: PaceClock;
  /** Calls that wait for what the feed brings. */
  #expedited = 0;
  /** Nothing goes on to a watch before this time, on the clock that never goes back. */
  #unwantedUntil = 0;
  #isWatched = true;
  /** The throttles that are under way. */
  readonly #throttles = new Set<() => void>();

  constructor(clock: PaceClock) {
    this.#clock = clock;
  }

  /** Keeps the loops from being throttled until it is disposed of. */
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

  /** Watches are throttled for so long: the loops are too, after their next fetch. */
  throttleFor(milliseconds: number): void {
    this.#unwantedUntil = this.#clock.monotonic() + milliseconds - fetchMs;
  }

  /** Whether changes go on to any watch; true until it is said otherwise. */
  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (isWatched) for (const wake of this.#throttles) wake();
  }

  /**
   * Begins a loop. The result waits after a fetch that brought so many bytes, for changes to gather; it ends at once while the
   * loops are expedited, and when the signal aborts.
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

/** The requests that a client of the topic may make without a wait. */
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
   * Milliseconds of throttle after a request that moved so many bytes, 0 for one that moved nothing. A client that is not behind
   * is throttled for `atLeastMs`, whatever the allowance. `intervalMs` is the interval of the moment; default: that of the options.
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
    // A client that skipped throttles because a call waited owes at most one.
    this.#left = Math.max(this.#left - 1, -1);
    return Math.max(atLeastMs, -this.#left * intervalMs, 0);
  }
}

/** The options of a queue. */
interface StartQueueOptions<T> {
  /** Starts a request. */
  readonly start: (item: T) => void;
  /** Longest time of starts within a turn of the event loop, in milliseconds; default 3. */
  readonly sliceMs?: number;
  /** Calls back at the end of the turn; default `setImmediate`. */
  readonly afterTurn?: (callback: () => void) => void;
  /** Milliseconds; default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Requests that have come and wait to be started, over all connections, in their order.
 *
 * A client can put a thousand requests and their resets into what the socket gives in one read. So a request is started at
 * the end of the turn in which it came, when its reset is known, and what is left when a slice of time is over waits for the
 * next turn: the sockets of others are read in between.
 */
export class StartQueue<T> {
  readonly #options: Required<StartQueueOptions<T>>;
  #waiting: T[] = [];
  /** Number of the waiting requests that have been started. */
  #started = 0;
  #isScheduled = false;

  constructor(options: StartQueueOptions<T>) {
    this.#options = { sliceMs: 3, afterTurn: setImmediate, now: () => performance.now(), ...options };
  }

  push(item: T): void {
    this.#waiting.push(item);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.afterTurn(() => this.#run());
  }

  #run(): void {
    const { start, sliceMs, now } = this.#options;
    this.#isScheduled = false;
    const end = now() + sliceMs;
    do {
      const item = this.#waiting[this.#started];
      if (item === undefined) break;
      this.#started++;
      start(item);
    } while (now() < end);
    if (this.#started < this.#waiting.length) {
      this.#schedule();
      return;
    }
    this.#waiting = [];
    this.#started = 0;
  }
}

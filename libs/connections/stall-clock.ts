/** The side of an exchange that waits for the client: the request body, or the answer that the client reads. */
export type Awaited = 'body' | 'answer';

/** Maximum times without progress by the client, in ms. */
export interface StallTimeouts {
  /** While the server waits for more of the request body. */
  readonly bodyMs: number;
  /** While the server waits for the client to read the answer. */
  readonly answerMs: number;
}

/** The side that waits now, and the bytes that it has transferred so far. */
export interface Waiting {
  readonly awaited: Awaited;
  readonly movedBytes: number;
}

/** Minimum number of bytes in one timeout that counts as progress. */
const progressBytes: Readonly<Record<Awaited, number>> = { body: 1024, answer: 16 * 1024 };

/** Measures how long a client stalls; called periodically. */
export class StallClock {
  #awaited: Awaited | undefined;
  #waitingSince = 0;
  #movedBefore = 0;

  /** Returns the time for which the client has stalled on this side, in ms, as of the last `stalled`; otherwise 0. */
  waitedMs(awaited: Awaited | undefined, now: number): number {
    return awaited !== undefined && this.#awaited === awaited ? now - this.#waitingSince : 0;
  }

  /** Returns the side, body or answer, on which the client has stalled beyond its timeout. */
  stalled(waiting: Waiting | undefined, now: number, timeouts: StallTimeouts): Awaited | undefined {
    if (waiting === undefined) {
      this.#awaited = undefined;
      return undefined;
    }
    const { awaited, movedBytes } = waiting;
    if (awaited !== this.#awaited || movedBytes - this.#movedBefore >= progressBytes[awaited]) {
      this.#awaited = awaited;
      this.#waitingSince = now;
      this.#movedBefore = movedBytes;
      return undefined;
    }
    const timeoutMs = awaited === 'body' ? timeouts.bodyMs : timeouts.answerMs;
    return now - this.#waitingSince >= timeoutMs ? awaited : undefined;
  }
}

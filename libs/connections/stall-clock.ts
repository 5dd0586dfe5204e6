/** The part of an exchange that waits for the client: its body, or the answer that it reads. */
export type Awaited = 'body' | 'answer';

/** How long a client may keep a server waiting without making progress, in ms. */
export interface StallTimeouts {
  /** For more of a request's body. */
  readonly bodyMs: number;
  /** For room for more of the answer. */
  readonly answerMs: number;
}

/** The part that waits at the moment, and how many bytes of it have moved so far. */
export interface Waiting {
  readonly awaited: Awaited;
  readonly movedBytes: number;
}

/** Bytes that count as progress within one timeout: less is a client that drips. */
const progressBytes: Readonly<Record<Awaited, number>> = { body: 1024, answer: 16 * 1024 };

/** Measures how long a client keeps a server waiting without progress; checked periodically. */
export class StallClock {
  #awaited: Awaited | undefined;
  #waitingSince = 0;
  #movedBefore = 0;

  /** How long the client has made the server wait for this, in ms, as far as `stalled` has seen; else 0. */
  waitedMs(awaited: Awaited | undefined, now: number): number {
    return awaited !== undefined && this.#awaited === awaited ? now - this.#waitingSince : 0;
  }

  /** The side, body or answer, on which the client has made the server wait longer than it may. */
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

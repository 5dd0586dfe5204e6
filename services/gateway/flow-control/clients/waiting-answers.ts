import type { Exchange } from '../../request/exchange.ts';
import { HeldBytes, type HeldBytesLimits } from './held-bytes.ts';

/** The bounds of waiting answers. */
interface WaitingAnswersOptions {
  readonly limits: HeldBytesLimits;
  /** Longest time that a client may take for the rest of an answer once all of it is rendered, in ms. */
  readonly longestMs: number;
}

/** An answer that waits for its client, and the bytes that it holds. */
interface WaitingAnswer {
  readonly username: string;
  readonly exchange: Exchange;
  readonly bytes: number;
}

/** The memory of an answer besides bytes that wait in its connection: a buffer to render into, and its place. */
const leastBytes = 256 * 1024;

/** Smaller remainders are not counted: the buffers of the system for a client are larger. */
const leastFollowed = 64 * 1024;

/**
 * Answers that wait for their clients. They hold no seat, so their memory is bounded here: a user with too many of them
 * gets no more answers, and when all together are too many, the oldest one of the user with most is cut off.
 */
export class WaitingAnswers {
  readonly #held: HeldBytes;
  readonly #longestMs: number;
  /** In the order in which they began to wait. */
  readonly #answers = new Set<WaitingAnswer>();

  constructor({ limits, longestMs }: WaitingAnswersOptions) {
    this.#held = new HeldBytes(limits);
    this.#longestMs = longestMs;
  }

  get count(): number {
    return this.#answers.size;
  }

  get bytes(): number {
    return this.#held.total;
  }

  /** Whether a user has as many answers waiting as a user may have. */
  areTooMany(username: string): boolean {
    return this.#held.exceeded(username) === 'user';
  }

  /** Counts an answer that waits; returns a function that ends the count. */
  began(exchange: Exchange): () => void {
    const { username } = exchange.user;
    const bytes = leastBytes + exchange.response.writableLength;
    const answer: WaitingAnswer = { username, exchange, bytes };
    this.#answers.add(answer);
    this.#held.add(username, bytes);
    const end = () => {
      if (this.#answers.delete(answer)) this.#held.add(username, -bytes);
    };
    if (this.#held.exceeded(username) === 'total') this.#cutOffOne();
    return end;
  }

  /** Counts the rest of an answer that is rendered but not taken, until it is; one that is not taken in time is cut off. */
  follow(exchange: Exchange): void {
    const { response } = exchange;
    if (!response.writableEnded || response.writableFinished || response.destroyed) return;
    if (response.writableLength < leastFollowed) return;
    const end = this.began(exchange);
    const timer = setTimeout(() => response.destroy(), this.#longestMs).unref();
    const settle = () => {
      clearTimeout(timer);
      end();
    };
    response.once('finish', settle).once('close', settle);
  }

  #cutOffOne(): void {
    const largest = this.#held.largest();
    for (const { username, exchange } of this.#answers) {
      if (username !== largest) continue;
      exchange.response.destroy();
      return;
    }
  }
}

import { pause } from '@binnacle/event-loop';
import type { QueueClock } from '../fair-queuing/queue-set.ts';

const windowMs = 1_000;
/** Refusals of one user within a window that are answered at once. */
const promptRefusals = 20;
/** Shortest delay of further ones: as long as `Retry-After` tells clients to wait. */
const delayMs = 1_000;
/**
 * Interval between delayed refusals: requests that came together must not load the event loop together again at each
 * retry.
 */
const spacingMs = 2;
/** Refusals that wait at a time; each holds a connection and little else. */
const mostWaiting = 1_000;
/** Longest delay of a refusal. */
const longestDelayMs = delayMs + mostWaiting * spacingMs;

/**
 * Delays the refusals of users who retry without waiting. A client that ignores `Retry-After` would otherwise turn each
 * cheap refusal into the next request and load the event loop with refusals alone.
 */
export class RefusalPacer {
  readonly #clock: QueueClock;
  readonly #refused = new Map<string, number>();
  #windowStart = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  /** Time at which the last waiting refusal is sent; clients that leave do not move it back. */
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: QueueClock) {
    this.#clock = clock;
  }

  /** Refusals that wait to be sent. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when a refusal of this user may be sent, or when the signal aborts. Never rejects. */
  async pace(username: string, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#windowStart >= windowMs) {
      this.#windowStart = now;
      this.#refused.clear();
    }
    const refused = (this.#refused.get(username) ?? 0) + 1;
    this.#refused.set(username, refused);
    if (refused <= promptRefusals || this.#waiting >= mostWaiting || signal.aborted) return;
    this.#waiting++;
    this.#lastAt = Math.min(Math.max(now + delayMs, this.#lastAt + spacingMs), now + longestDelayMs);
    await pause(this.#lastAt - now, signal, { clock: this.#clock });
    this.#waiting--;
  }
}

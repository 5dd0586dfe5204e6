import type { QueueClock } from '../fair-queuing/queue-set.ts';

const windowMs = 1_000;
/** Refusals of one user within a window that are answered at once. */
const promptRefusals = 20;
/** How long further ones wait: as long as `Retry-After` tells clients to wait. */
const delayMs = 1_000;
/** Refusals that wait at a time; each holds a connection and little else. */
const mostWaiting = 1_000;

/**
 * Delays the refusals of users who retry without waiting. A client that ignores `Retry-After` would otherwise turn each
 * cheap refusal into the next request and load the event loop with refusals alone.
 */
export class RefusalPacer {
  readonly #clock: QueueClock;
  readonly #refused = new Map<string, number>();
  #windowStart = Number.NEGATIVE_INFINITY;
  #waiting = 0;

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
    await this.#delay(signal);
    this.#waiting--;
  }

  #delay(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const settle = () => {
        cancel();
        signal.removeEventListener('abort', settle);
        resolve();
      };
      const cancel = this.#clock.after(delayMs, settle);
      signal.addEventListener('abort', settle, { once: true });
    });
  }
}

import type { QueueClock } from '../fair-queuing/queue-set.ts';

/** A clock that is turned by hand; timers fire on the way. */
export class HandClock implements QueueClock {
  #now = 0;
  readonly #timers = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const own = () => callback();
    this.#timers.set(own, this.#now + ms);
    return () => this.#timers.delete(own);
  }

  turn(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(([, at]) => at <= end).toSorted(([, a], [, b]) => a - b);
      if (next === undefined) break;
      const [callback, at] = next;
      this.#timers.delete(callback);
      this.#now = Math.max(this.#now, at);
      callback();
    }
    this.#now = end;
  }
}

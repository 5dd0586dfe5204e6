import { clearTimeout, setTimeout } from 'node:timers';
import type { Deadline } from '@binnacle/proto';

/** An entry that expires at its deadline, unless it is removed before. */
export interface Timed {
  readonly deadline: Deadline;
  /** Whole milliseconds from the addition to the deadline; constant while the entry is in the queue. */
  readonly durationMs: number;
  /** Called once, after the queue has removed the entry. */
  expire(): void;
}

/** Maximum delay of a timer, in ms; Node fires longer ones at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The deadlines of any number of calls, with one timer.
 *
 * Entries of one duration expire in the order of their addition, so the first one is the earliest. `add` and `remove`
 * take constant time; `add` starts a timer only for a deadline that is earlier than all others. `remove` leaves the
 * timer running; when it fires, it is set for the next deadline. The timer keeps the process alive only while the queue
 * has entries.
 */
export class DeadlineQueue {
  /** Entries by duration. */
  readonly #waiting = new Map<number, Set<Timed>>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#size;
  }

  add(timed: Timed): void {
    let same = this.#waiting.get(timed.durationMs);
    if (same === undefined) {
      same = new Set();
      this.#waiting.set(timed.durationMs, same);
    }
    same.add(timed);
    if (this.#size++ === 0) this.#timer?.ref();
    if (timed.deadline < this.#timerAt) this.#start(timed.deadline);
  }

  /** Removes an entry; without effect if it is not in the queue. */
  remove(timed: Timed): void {
    this.#delete(timed);
  }

  #delete(timed: Timed): boolean {
    if (this.#waiting.get(timed.durationMs)?.delete(timed) !== true) return false;
    if (--this.#size === 0) this.#timer?.unref();
    return true;
  }

  #start(deadline: number): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    const milliseconds = Math.ceil(Math.max(1, deadline - performance.now()));
    this.#timerAt = deadline;
    this.#timer = setTimeout(() => this.#fire(), Math.min(milliseconds, longestTimerMs));
    if (this.#size === 0) this.#timer.unref();
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const expired: Timed[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [durationMs, same] of this.#waiting) {
      if (same.size === 0) this.#waiting.delete(durationMs);
      for (const timed of same) {
        if (timed.deadline > now) {
          next = Math.min(next, timed.deadline);
          break;
        }
        expired.push(timed);
      }
    }
    if (next < Number.POSITIVE_INFINITY) this.#start(next);
    // Last, because `expire` may add entries and remove others that have expired at the same time.
    for (const timed of expired.sort((one, other) => one.deadline - other.deadline))
      if (this.#delete(timed)) timed.expire();
  }
}

/** The queue shared by the whole process. */
export const sharedDeadlines = new DeadlineQueue();

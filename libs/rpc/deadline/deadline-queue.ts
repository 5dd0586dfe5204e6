import { clearTimeout, setTimeout } from 'node:timers';
import type { Deadline } from '@binnacle/proto';

/** Something that ends at its deadline, unless it is removed before. */
export interface Timed {
  readonly deadline: Deadline;
  /** Whole milliseconds from its addition to its deadline; the same while it is in the queue. */
  readonly durationMs: number;
  /** Called once, after it was removed. */
  expire(): void;
}

/** Longer timers fire at once in Node. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Deadlines of any number of calls, with one timer for all of them.
 *
 * Deadlines of one duration come in the order in which they were added, so the earliest of a duration is its first one. To
 * add and to remove take the same time whatever the queue holds, and start a timer only for a deadline that is earlier than all
 * others. The timer is left as it is when its deadline is removed: it looks for the next one when it fires. It keeps
 * the process alive only while there are deadlines.
 */
export class DeadlineQueue {
  /** By duration. */
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

  /** Without effect on what is not in the queue. */
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
    // Last, because one may add others, and remove others that have expired with it.
    for (const timed of expired.sort((one, other) => one.deadline - other.deadline))
      if (this.#delete(timed)) timed.expire();
  }
}

/** The queue of the process. */
export const sharedDeadlines = new DeadlineQueue();

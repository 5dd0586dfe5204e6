import type { CallContext } from '@binnacle/proto';
import { type StatusError, timeout, tooManyRequests } from '@binnacle/status-errors';
import type { Revision } from '@binnacle/storage-contract';
import type { WatchCacheClock } from '../contract/environment.ts';

interface Waiter {
  readonly revision: Revision;
  readonly deadline: number;
  settle(error?: StatusError): void;
}

/** Calls that wait until a replica reaches a revision: bounded in number, woken in one pass. */
export class RevisionWaiters {
  readonly #clock: WatchCacheClock;
  readonly #limit: number;
  readonly #waiters = new Set<Waiter>();
  /** Lowest revision that a call waits for. */
  #lowest = Number.POSITIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(clock: WatchCacheClock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Waits for a revision above `current`; see `TypeCache.waitFor`. */
  wait(revision: Revision, current: Revision, call: CallContext): Promise<void> {
    if (call.signal.aborted || call.deadline <= this.#clock.monotonic()) {
      return Promise.reject(tooLarge(revision, current));
    }
    if (this.#waiters.size >= this.#limit) {
      return Promise.reject(tooManyRequests('too many requests wait for a newer state, try again later', 1));
    }
    return new Promise((resolve, reject) => {
      const abort = () => waiter.settle(tooLarge(revision, current));
      const waiter: Waiter = {
        revision,
        deadline: call.deadline,
        settle: error => {
          if (!this.#waiters.delete(waiter)) return;
          call.signal.removeEventListener('abort', abort);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      call.signal.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
      this.#lowest = Math.min(this.#lowest, revision);
      this.#watchDeadline(call.deadline);
    });
  }

  /** Resolves all calls that wait for this or a lower revision. */
  advance(revision: Revision): void {
    if (revision < this.#lowest) return;
    this.#lowest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      if (waiter.revision <= revision) waiter.settle();
      else this.#lowest = Math.min(this.#lowest, waiter.revision);
    }
    if (this.#waiters.size === 0) this.#stopTimer();
  }

  /** Rejects all waiting calls. */
  refuseAll(error: StatusError): void {
    for (const waiter of this.#waiters) waiter.settle(error);
    this.#stopTimer();
  }

  /** One timer, at the earliest deadline, serves all waiters. */
  #watchDeadline(deadline: number): void {
    if (deadline >= this.#timerAt) return;
    this.#stopTimer();
    this.#timerAt = deadline;
    // Bounded, since a deadline may exceed the maximum delay of a timer.
    const milliseconds = Math.min(Math.max(1, deadline - this.#clock.monotonic()), 60_000);
    this.#cancelTimer = this.#clock.after(milliseconds, () => this.#expire());
  }

  #expire(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      if (waiter.deadline <= now) waiter.settle(tooLarge(waiter.revision));
      else next = Math.min(next, waiter.deadline);
    }
    if (next < Number.POSITIVE_INFINITY) this.#watchDeadline(next);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#timerAt = Number.POSITIVE_INFINITY;
  }
}

function tooLarge(revision: Revision, current?: Revision): StatusError {
  const seen = current === undefined ? '' : `, current: ${current}`;
  return timeout(`Too large resource version: ${revision}${seen}`, 1);
}

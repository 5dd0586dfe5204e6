import type { CallContext } from '@binnacle/proto';
import type { KeyLock, KeyLocks } from './key-locks.ts';
import { unlessEnded } from './retry-budget.ts';

/** How long a write has the lock for itself while others wait: what it waits for may be one of them. */
const leaseMs = 1_000;

/**
 * The lock of one write for its type and namespace. Writes that are charged to one quota undo each other's reviews: from
 * the first review that was undone on, they go one after another.
 */
export class ReviewLock implements Disposable {
  readonly #locks: KeyLocks;
  readonly #key: string;
  readonly #call: CallContext;
  #held: KeyLock | undefined;
  #isContended = false;

  constructor(locks: KeyLocks, key: string, call: CallContext) {
    this.#locks = locks;
    this.#key = key;
    this.#call = call;
  }

  /** Whether what a review relies on is known to change at the time. */
  get isContended(): boolean {
    return this.#isContended;
  }

  /** Whether another write of the type and namespace has the lock. */
  get isTaken(): boolean {
    return !this.#isContended && this.#locks.isHeld(this.#key);
  }

  /** Resolves when the write has the lock; throws Timeout when the request is over before. */
  async contend(): Promise<void> {
    if (this.#isContended) return;
    this.#isContended = true;
    this.#held = await unlessEnded(this.#call, 'other writes', signal =>
      this.#locks.acquire(this.#key, { signal, leaseMs }),
    );
  }

  /** Gives the lock back: the next review is a first one. */
  release(): void {
    this.#held?.[Symbol.dispose]();
    this.#held = undefined;
    this.#isContended = false;
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

import type { CallContext } from '@binnacle/proto';
import type { StorageRecord } from '@binnacle/storage-contract';
import type { KeyLock, KeyLocks, LeftRecord } from './key-locks.ts';
import { unlessEnded } from './retry-budget.ts';

/**
 * How long a write has an object for itself while others wait. Few writes take longer, but those that wait for webhooks,
 * which may wait for one of the others.
 */
const firstLeaseMs = 250;
/** A write that lost the object in a lease has it for longer the next time, up to this. */
const longestLeaseMs = 4_000;

/**
 * The lock of one write for an object: writes of one object go one after another, instead of each undoing the work of the
 * others. See `KeyLocks` for what happens while a write holds it for long.
 */
export class ObjectLock implements Disposable {
  readonly #locks: KeyLocks;
  readonly #call: CallContext;
  #key: string | undefined;
  #lock: KeyLock | undefined;

  constructor(locks: KeyLocks, call: CallContext) {
    this.#locks = locks;
    this.#call = call;
  }

  /** Holds the object of this key if no other write does. */
  tryHold(key: string): boolean {
    this.#key = key;
    this.#lock = this.#locks.tryAcquire(key, firstLeaseMs);
    return this.#lock !== undefined;
  }

  /** Resolves when the write holds the object of this key; throws Timeout when the request is over before. */
  async hold(key: string): Promise<void> {
    if (this.#key === key && this.#lock?.isHeld === true) return;
    this[Symbol.dispose]();
    this.#key = key;
    if (!this.tryHold(key)) await this.#wait(key, { leaseMs: firstLeaseMs });
  }

  /** Whether another write has been let in, since this one took long. */
  get isLost(): boolean {
    return this.#lock !== undefined && !this.#lock.isHeld;
  }

  /** Resolves when the write holds the object that it lost, before all that wait; throws Timeout when the request is over before. */
  async reacquire(): Promise<void> {
    const { leaseMs = firstLeaseMs } = this.#lock ?? {};
    if (this.#key !== undefined)
      await this.#wait(this.#key, { leaseMs: Math.min(2 * leaseMs, longestLeaseMs), isFirst: true });
  }

  /** The object as the write before has left it; undefined when that is not known. */
  get left(): LeftRecord | undefined {
    return this.#lock?.left;
  }

  /** Leaves the object as it is now to the next write. */
  leave(record: StorageRecord | undefined): void {
    this.#lock?.leave(record);
  }

  async #wait(key: string, wait: { readonly leaseMs: number; readonly isFirst?: boolean }): Promise<void> {
    this.#lock = await unlessEnded(this.#call, 'other writes of the object', signal =>
      this.#locks.acquire(key, { ...wait, signal }),
    );
  }

  [Symbol.dispose](): void {
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
  }
}

/** How long a write has the reviews of a type and namespace for itself while others wait: what it waits for may be one of them. */
const reviewLeaseMs = 1_000;

/**
 * The lock of one write for the reviews of its type and namespace. Writes that are charged to one quota undo each other's
 * reviews: from the first review that was undone on, they go one after another.
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

  /** Whether the objects that a review relies on change at the time. */
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
      this.#locks.acquire(this.#key, { signal, leaseMs: reviewLeaseMs }),
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

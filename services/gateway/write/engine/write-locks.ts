import type { CallContext } from '@binnacle/proto';
import { tooManyRequests } from '@binnacle/status-errors';
import type { StorageRecord } from '@binnacle/storage-contract';
import { unlessEnded } from './retry-budget.ts';

/**
 * Time for which a write holds an object alone while others wait. Few writes take longer, except those that wait for
 * webhooks, which may wait for one of the others.
 */
const firstLeaseMs = 250;
/** Longest lease: a write that lost the object gets a longer lease the next time. */
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

  /** Whether the lease has ended and another write holds the object. */
  get isLost(): boolean {
    return this.#lock !== undefined && !this.#lock.isHeld;
  }

  /**
   * Resolves when the write holds the object again, ahead of all that wait; throws Timeout when the request is over
   * before.
   */
  async reacquire(): Promise<void> {
    const { leaseMs = firstLeaseMs } = this.#lock ?? {};
    if (this.#key !== undefined)
      await this.#wait(this.#key, { leaseMs: Math.min(2 * leaseMs, longestLeaseMs), isFirst: true });
  }

  /** Notes whether the write is committing: its lease does not end meanwhile. */
  noteCommit(isUnderWay: boolean): void {
    if (this.#lock !== undefined) this.#lock.isCommitting = isUnderWay;
  }

  /** The object after the write that held the lock before; undefined when that is not known. */
  get left(): LeftRecord | undefined {
    return this.#lock?.left;
  }

  /** Passes the current record to the next write. */
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

/** Time for which a write alone reviews in a type and namespace while others wait: it may wait for one of them. */
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

  /** Whether the objects that a review relies on are being changed. */
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

/** The record of the key after the last write of this process. */
interface LeftRecord {
  /** Undefined: there is no object. */
  readonly record: StorageRecord | undefined;
}

/** Options of the wait for a lock. */
interface LockWait {
  readonly signal: AbortSignal;
  readonly leaseMs: number;
  /** Whether the write goes before those that wait already, since it had the lock before; default false. */
  readonly isFirst?: boolean;
}

/** Times leases. */
interface LeaseClock {
  /** Calls back once after some milliseconds; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

const timers: LeaseClock = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** More writes than this do not wait for one lock; the requests in flight are bounded besides. */
const mostWaiting = 1_000;

/**
 * A lock for each key, for writes that would only undo each other's work: those of one object, those that are charged
 * to one quota. Writes get it in the order of their requests. A lock exists while a write holds it.
 *
 * A lock is exclusive for the time of its lease only. The write that holds it may wait for a webhook, and the webhook
 * for a write that waits for this lock. So when the lease has passed and another write waits, that one gets the lock,
 * and the first goes on without it: the lock only saves useless work, since a commit compares and swaps. Each lease
 * that passes after another one lets in twice as many: of many writes whose webhooks write, all are let in before the
 * webhooks time out. While a write commits its lease does not pass: a commit waits for no other write, and those that
 * are let in meanwhile would begin from what it replaces, the more of them the slower the store is.
 */
export class KeyLocks {
  readonly #queues = new Map<string, LockQueue>();
  readonly #clock: LeaseClock;

  /** By default leases are as long as the timers of the process. */
  constructor(clock: LeaseClock = timers) {
    this.#clock = clock;
  }

  /** Whether a write holds the lock of this key. */
  isHeld(key: string): boolean {
    return this.#queues.has(key);
  }

  /** Acquires the lock for a lease of so many milliseconds; undefined when another write holds it. */
  tryAcquire(key: string, leaseMs: number): KeyLock | undefined {
    if (this.#queues.has(key)) return undefined;
    const queue = new LockQueue(this.#clock, () => this.#queues.delete(key));
    this.#queues.set(key, queue);
    return queue.open(leaseMs);
  }

  /**
   * Resolves with the lock when this write holds it. Rejects with the signal's reason when that aborts before; the write
   * does not hold the lock then. Throws TooManyRequests when too many writes wait for it.
   */
  async acquire(key: string, wait: LockWait): Promise<KeyLock> {
    wait.signal.throwIfAborted();
    return this.tryAcquire(key, wait.leaseMs) ?? (await this.#queues.get(key)!.wait(wait)); // it is held, so it is there
  }
}

/** A lock that a write holds, until it is disposed of or its lease has passed while another write waits. */
export class KeyLock implements Disposable {
  readonly leaseMs: number;
  /** Whether the write commits at the moment. */
  isCommitting = false;
  readonly #queue: LockQueue;

  constructor(queue: LockQueue, leaseMs: number) {
    this.#queue = queue;
    this.leaseMs = leaseMs;
  }

  /** Whether no other write holds the lock by now. */
  get isHeld(): boolean {
    return this.#queue.holder === this;
  }

  /** The record after the write that held the lock before; undefined when that is not known. */
  get left(): LeftRecord | undefined {
    return this.#queue.left;
  }

  /** Passes the current record of the key to the next write. */
  leave(record: StorageRecord | undefined): void {
    if (this.#queue.isWaitedFor) this.#queue.left = { record };
  }

  [Symbol.dispose](): void {
    if (this.isHeld) this.#queue.passOn();
  }
}

interface Waiting {
  readonly lock: KeyLock;
  readonly enter: (lock: KeyLock) => void;
}

/** The write that holds a lock, and those that wait for it. */
class LockQueue {
  holder: KeyLock | undefined;
  left: LeftRecord | undefined;
  readonly #waiting: Waiting[] = [];
  readonly #clock: LeaseClock;
  readonly #close: () => void;
  /** Cancels the end of the lease. Only where a write waits: a lock that no other write asks for needs no timer. */
  #cancelLease: (() => void) | undefined;
  /** Number of writes that the end of a lease lets in: twice as many as the end of the lease before. */
  #lettingIn = 1;

  /** `close` is called when no write holds the lock any more. */
  constructor(clock: LeaseClock, close: () => void) {
    this.#clock = clock;
    this.#close = close;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  open(leaseMs: number): KeyLock {
    this.holder = new KeyLock(this, leaseMs);
    return this.holder;
  }

  async wait({ signal, leaseMs, isFirst = false }: LockWait): Promise<KeyLock> {
    if (this.#waiting.length >= mostWaiting)
      throw tooManyRequests('too many writes of the object are waiting, try again', 1);
    const { promise, resolve, reject } = Promise.withResolvers<KeyLock>();
    const waiting = { lock: new KeyLock(this, leaseMs), enter: resolve };
    const giveUp = (): void => {
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      if (!this.isWaitedFor) this.#cancelLease?.();
      reject(signal.reason);
    };
    if (isFirst) this.#waiting.unshift(waiting);
    else this.#waiting.push(waiting);
    if (this.#waiting.length === 1) this.#beginLease();
    signal.addEventListener('abort', giveUp, { once: true });
    // A lock that was passed on stays with the write: an abort after it finds nothing to take out of the list.
    return await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** Gives the lock to the next write, when the one that holds it gives it back. */
  passOn(): void {
    this.#cancelLease?.();
    this.#lettingIn = 1;
    this.#letIn(1);
    if (this.holder === undefined) this.#close();
  }

  /** Lets the next writes in, the last of which holds the lock. */
  #letIn(count: number): void {
    const next = this.#waiting.splice(0, count);
    this.holder = next.at(-1)?.lock;
    if (this.isWaitedFor) this.#beginLease();
    for (const { lock, enter } of next) enter(lock);
  }

  #beginLease(): void {
    this.#cancelLease = this.#clock.after(this.holder?.leaseMs ?? 0, () => {
      if (this.holder?.isCommitting === true) {
        this.#beginLease();
        return;
      }
      const count = this.#lettingIn;
      this.#lettingIn *= 2;
      this.#letIn(count);
    });
  }
}

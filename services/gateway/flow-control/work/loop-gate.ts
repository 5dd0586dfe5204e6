import type { Flow } from '../fair-queuing/flow.ts';
import type { StartGate } from '../fair-queuing/queue-set.ts';

/** What the gate works with. */
export interface LoopGateOptions {
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Part of the time since the last call in which the event loop was busy, 0 to 1. */
  readonly busy: () => number;
  /** Calls back repeatedly until the returned function is called. */
  readonly every: (ms: number, callback: () => void) => () => void;
  /** Called when flows may start more than before. */
  readonly onOpen: () => void;
}

/** How often the load is looked at while there are requests to hold back, in ms. */
const lookMs = 50;
/** For how long a flow counts as active after a request, in ms. */
const activeMs = 1_000;
const mostExecuting = 1024;
/** The busy part of the event loop that is aimed at, while one flow alone is active and while there are several. */
const targets = { alone: { low: 0.85, high: 0.95 }, shared: { low: 0.3, high: 0.5 } };

/**
 * Keeps requests in the fair queues, and out of the event loop, while the loop is busy.
 *
 * A gateway has one thread. Whatever has started shares it in the order in which its input arrives, so that fairness ends
 * where execution begins: 64 requests of one flow that execute delay each step of every other request by a step of each.
 * The number of requests that one flow may execute at a time follows the load of the event loop: it is halved while the
 * loop is busy for longer than its target and grows while it is below. The first request of a flow is always admitted, so
 * flows that send one request after the other are not held back. The target is lower while several flows are active: one
 * flow alone disturbs no other.
 */
export class LoopGate implements StartGate {
  readonly #options: LoopGateOptions;
  #most = mostExecuting;
  #stop: (() => void) | undefined;
  #last: Flow | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #otherAt = Number.NEGATIVE_INFINITY;
  #wasNeeded = false;

  constructor(options: LoopGateOptions) {
    this.#options = options;
  }

  /** Requests that one flow may execute at a time. */
  get most(): number {
    return this.#most;
  }

  admits(executing: number): boolean {
    if (executing === 0) return true;
    this.#wasNeeded = true;
    this.#stop ??= this.#follow();
    return executing < this.#most;
  }

  /** Notes a request of a flow. */
  seen(flow: Flow): void {
    const now = this.#options.now();
    if (flow !== this.#last) {
      this.#otherAt = this.#lastAt;
      this.#last = flow;
    }
    this.#lastAt = now;
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #follow(): () => void {
    this.#options.busy();
    return this.#options.every(lookMs, () => this.#look());
  }

  #look(): void {
    const busy = this.#options.busy();
    const { low, high } = this.#options.now() - this.#otherAt < activeMs ? targets.shared : targets.alone;
    if (busy > high) this.#most = Math.max(1, Math.floor(Math.min(this.#most, 64) / 2));
    else if (busy < low && this.#most < mostExecuting) {
      this.#most = Math.min(mostExecuting, this.#most + Math.ceil(this.#most / 4));
      this.#options.onOpen();
    }
    if (!this.#wasNeeded && this.#most === mostExecuting) this[Symbol.dispose]();
    this.#wasNeeded = false;
  }
}

import type { Flow } from '../fair-queuing/flow.ts';
import type { QueueClock, StartGate } from '../fair-queuing/queue-set.ts';
import type { ThreadLoad } from './thread-load.ts';

/** Options of the gate. */
export interface LoopGateOptions {
  readonly clock: QueueClock;
  /** The load of this thread since the last call. */
  readonly load: () => ThreadLoad;
  /** Calls back repeatedly until the returned function is called. */
  readonly every: (ms: number, callback: () => void) => () => void;
  /** Called when flows may start more than before. */
  readonly onOpen: () => void;
  /** Called with `most` whenever it changes. */
  readonly onChange?: (most: number) => void;
}

/** The target of the gate: it closes above `high` and opens below `low`. */
interface Target {
  readonly busy: { readonly low: number; readonly high: number };
  readonly waited: { readonly low: number; readonly high: number };
  /** The smallest limit of the gate. */
  readonly least: number;
  /** The limit to which the gate closes at once when the target begins to apply while the load is above it. */
  readonly first: number;
}

/** Interval at which the load is measured while requests are held back, in ms. */
const measureMs = 50;
/** The longest throttle of a flow at a time, in ms. */
const longestThrottleMs = 1_000;
/** The gate's first limit, beyond which it does not open. */
export const mostExecuting = 1024;

const idle: ThreadLoad = { busy: 0, waited: 0 };
const unlimited = { low: Number.POSITIVE_INFINITY, high: Number.POSITIVE_INFINITY };
/** The target while a single flow is active, which disturbs no other. */
const alone: Target = { busy: { low: 0.85, high: 0.95 }, waited: unlimited, least: 1, first: mostExecuting };
const shared: Target = { busy: { low: 0.3, high: 0.5 }, waited: unlimited, least: 1, first: 1 };
/** Requests of other flows within half a second from which on the busiest flow may be throttled. */
const crowd = 5;
const crowded: Target = {
  busy: { low: 0.25, high: 0.35 },
  waited: { low: 0.06, high: 0.1 },
  least: 1 / 8,
  first: 1 / 4,
};

/**
 * Keeps requests in the fair queues, and out of the event loop, while this thread has too much to do.
 *
 * A gateway has one thread. Whatever has started shares it in the order in which its input arrives, so that fairness
 * ends where execution begins: 64 requests of one flow that execute delay each step of every other request by a step
 * of each. And the processors are shared with the services and backends that work for the gateway. The number of
 * requests that one flow may execute at a time follows the load: it is halved while the loop is busy, or the thread
 * waits for a processor, for longer than the target, and grows while both are below. Below one, it is the part of the
 * time in which a flow may execute a request: it is throttled after each one, and between the parts of a long answer,
 * if other requests of it wait. A flow that sends one request after the other is never held back. The target is lower
 * while several flows are active, and flows are throttled only while others make more than a few requests a second.
 */
export class LoopGate implements StartGate {
  readonly #options: LoopGateOptions;
  readonly #activity = new FlowActivity();
  #most = mostExecuting;
  #target = alone;
  /** The last measured load. */
  #load: ThreadLoad = idle;
  #stop: (() => void) | undefined;
  #wasNeeded = false;

  constructor(options: LoopGateOptions) {
    this.#options = options;
  }

  /** Requests that one flow may execute at a time; below one, the part of the time in which it executes one. */
  get most(): number {
    return this.#most;
  }

  admits({ executing, isThrottled }: Flow): boolean {
    if (executing === 0) return !isThrottled;
    this.#wasNeeded = true;
    this.#stop ??= this.#follow();
    return executing < this.#most;
  }

  finished(flow: Flow, ranMs: number): void {
    const ms = this.#throttleMs(flow, ranMs);
    if (ms === 0 || flow.executing > 0) return;
    flow.isThrottled = true;
    this.#throttle(flow, ms, () => {
      flow.isThrottled = false;
      this.#options.onOpen();
    });
  }

  pause(flow: Flow, ranMs: number): Promise<void> | undefined {
    const ms = this.#throttleMs(flow, ranMs);
    return ms === 0 ? undefined : new Promise(resolve => this.#throttle(flow, ms, resolve));
  }

  /**
   * Notes a request of a flow. Where it is one of the first of others while the loop is busy, the gate closes at once: each
   * step that it waited for would be a delay for them.
   */
  seen(flow: Flow): void {
    const now = this.#options.clock.now();
    this.#activity.seen(flow, now);
    if (this.#stop === undefined) return;
    const target = targetAmong(this.#activity.others(now));
    const isNew = target.first < this.#target.first;
    this.#target = target;
    if (isNew && exceeds(this.#load, target)) this.#set(Math.min(this.#most, target.first));
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** The throttle of a flow for the work that it has done since the last one, in ms. */
  #throttleMs(flow: Flow, ranMs: number): number {
    if (this.#most >= 1 || flow.waiting === 0) return 0;
    const workedMs = Math.min(ranMs, this.#options.clock.now() - flow.throttleEndedAt);
    return Math.min(longestThrottleMs, workedMs * (1 / this.#most - 1));
  }

  #throttle(flow: Flow, ms: number, then: () => void): void {
    const { clock } = this.#options;
    clock.after(ms, () => {
      flow.throttleEndedAt = clock.now();
      then();
    });
  }

  #follow(): () => void {
    this.#options.load();
    this.#load = idle;
    return this.#options.every(measureMs, () => this.#measure());
  }

  #measure(): void {
    const { clock, load, onOpen } = this.#options;
    this.#load = load();
    const { busy, waited } = this.#load;
    const target = targetAmong(this.#activity.others(clock.now()));
    this.#target = target;
    if (exceeds(this.#load, target)) this.#set(Math.max(target.least, half(this.#most)));
    else if (busy < target.busy.low && waited < target.waited.low && this.#most < mostExecuting) {
      this.#set(Math.min(mostExecuting, quarterMore(this.#most)));
      onOpen();
    }
    if (!this.#wasNeeded && this.#most === mostExecuting) this[Symbol.dispose]();
    this.#wasNeeded = false;
  }

  #set(most: number): void {
    if (most === this.#most) return;
    this.#most = most;
    this.#options.onChange?.(most);
  }
}

function exceeds({ busy, waited }: ThreadLoad, target: Target): boolean {
  return busy > target.busy.high || waited > target.waited.high;
}

function targetAmong(others: number): Target {
  if (others === 0) return alone;
  return others < crowd ? shared : crowded;
}

function half(most: number): number {
  return most <= 1 ? most / 2 : Math.floor(Math.min(most, 64) / 2);
}

function quarterMore(most: number): number {
  return most < 1 ? Math.min(1, most * 1.25) : most + Math.ceil(most / 4);
}

/** Requests are counted in periods of this length, in ms. */
const activityPeriodMs = 500;

/** Counts the requests of all flows but the busiest one. */
export class FlowActivity {
  readonly #counts = new Map<Flow, number>();
  #startedAt = Number.NEGATIVE_INFINITY;
  #total = 0;
  #most = 0;
  /** In the period before this one. */
  #othersBefore = 0;

  /** Notes a request of a flow; `now` in ms, monotonic. */
  seen(flow: Flow, now: number): void {
    this.#advance(now);
    const count = (this.#counts.get(flow) ?? 0) + 1;
    this.#counts.set(flow, count);
    this.#total++;
    this.#most = Math.max(this.#most, count);
  }

  /** Requests within half a second that did not come from the busiest flow, in this period or the one before. */
  others(now: number): number {
    this.#advance(now);
    return Math.max(this.#othersBefore, this.#total - this.#most);
  }

  #advance(now: number): void {
    const passed = now - this.#startedAt;
    if (passed < activityPeriodMs) return;
    this.#othersBefore = passed < 2 * activityPeriodMs ? this.#total - this.#most : 0;
    this.#startedAt = now;
    this.#counts.clear();
    this.#total = 0;
    this.#most = 0;
  }
}

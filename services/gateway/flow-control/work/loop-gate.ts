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
/** The target while no flow is quiet beside another one. */
const alone: Target = { busy: { low: 0.85, high: 0.95 }, waited: unlimited, least: 1, first: mostExecuting };
/** With fewer at a time a machine does less in all: what comes together is done together. A few requests of others are not worth that. */
const shared: Target = { busy: { low: 0.3, high: 0.5 }, waited: unlimited, least: 8, first: 1 };
/** Requests of quiet flows within half a second from which on other flows may be throttled. */
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
 * while flows are active that are quiet beside the busiest one, and flows are throttled only while the quiet ones make more than
 * a few requests a second. Quiet flows are not held back.
 *
 * Flows that ask for the same must not stay unequal: one that chance gave a backlog would be held back for the others, and so
 * keep it. Therefore no flow is held back while one without a backlog asks for about as much as the busiest flow. Nor is one where
 * several have a backlog: the machine has too much to do, and what it does together costs it less.
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

  admits(flow: Flow): boolean {
    const { executing, isThrottled } = flow;
    // A throttle of when the limit was lower does not outlast it.
    if (executing === 0) return !isThrottled || this.#most >= 1;
    if (this.#activity.isQuiet(flow)) return true;
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
   * Notes a request of a flow; `isExempt`: its level has no limits, so that it is never held back. Where it is one of the first of others while the loop is busy, the gate closes at once: each
   * step that it waited for would be a delay for them.
   */
  seen(flow: Flow, isExempt = false): void {
    const now = this.#options.clock.now();
    this.#activity.seen(flow, { now, isExempt });
    if (this.#stop === undefined) return;
    const target = targetBeside(this.#activity.quietRequests(now));
    const isNew = target.first < this.#target.first;
    this.#target = target;
    if (isNew && exceeds(this.#load, target) && this.#activity.hasFlood(now))
      this.#set(Math.min(this.#most, target.first));
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** The throttle of a flow for the work that it has done since the last one, in ms. */
  #throttleMs(flow: Flow, ranMs: number): number {
    if (this.#most >= 1 || flow.waiting === 0 || this.#activity.isQuiet(flow)) return 0;
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
    const now = clock.now();
    this.#load = load();
    const { busy, waited } = this.#load;
    const target = targetBeside(this.#activity.quietRequests(now));
    this.#target = target;
    const before = this.#most;
    let most = before;
    if (exceeds(this.#load, target)) most = half(before);
    else if (busy < target.busy.low && waited < target.waited.low) most = quarterMore(before);
    const least = this.#activity.hasFlood(now) ? target.least : mostExecuting;
    this.#set(Math.min(mostExecuting, Math.max(most, least)));
    if (this.#most > before) onOpen();
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

function targetBeside(quietRequests: number): Target {
  if (quietRequests === 0) return alone;
  return quietRequests < crowd ? shared : crowded;
}

function half(most: number): number {
  return most <= 1 ? most / 2 : Math.floor(Math.min(most, 64) / 2);
}

function quarterMore(most: number): number {
  return most < 1 ? Math.min(1, most * 1.25) : most + Math.ceil(most / 4);
}

/** Requests are counted in periods of this length, in ms. */
const activityPeriodMs = 500;
/** The requests under way of a flow beside which others can be quiet, and how many times as many as theirs these are at least. */
const busyFrom = 16;
const quietTimes = 4;
/** The part of all requests under way from which on those of one flow are a flood: more than one of three equal flows has. */
const floodPart = 0.4;
/** A flow asks for about as much as another one if that one asks for at most so many times as much. */
const alikeTimes = 2;
/**
 * The time after which half as many requests count as those that a flow asked for, in ms. A flow with a number of writers that is held
 * back sends no more requests than are answered: what it asks for is seen only while it is not.
 */
const askedHalfLifeMs = 300_000;
/** Flows that ask for less are forgotten: one request a second. */
const leastAskedPerMs = 0.001;
/** Flows that are counted at a time: names in paths can be flows, and a client can make up names. Others count as unlike all. */
const mostCounted = 4_096;

/** The requests that a flow asks for. */
interface Asked {
  /** The time of its first request. */
  readonly since: number;
  /** Its requests in this period. */
  count: number;
  /** The most in a ms of a period so far. */
  perMs: number;
}

/**
 * Counts the requests of flows that are quiet beside the busiest one, the one with the most requests that wait or execute: those that
 * ask for less than it does, and those that are alike and have no backlog.
 */
export class FlowActivity {
  #busiest: Flow | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** Requests of quiet flows in this period and in the one before. */
  #quiet = { less: 0, alike: 0 };
  #quietBefore = this.#quiet;
  readonly #asked = new Map<Flow, Asked>();
  #isFlood = true;

  /** Notes a request of a flow that is about to be one of those under way; `now` in ms, monotonic. */
  seen(flow: Flow, { now, isExempt }: { readonly now: number; readonly isExempt: boolean }): void {
    this.#advance(now);
    const asked = this.#asked.get(flow) ?? { since: now, count: 0, perMs: 0 };
    if (asked.count++ === 0 && this.#asked.size < mostCounted) this.#asked.set(flow, asked);
    const own = underWay(flow) + 1;
    if (this.#isFew(own)) this.#quiet[this.#isAlike(asked) ? 'alike' : 'less']++;
    else if (!isExempt && (this.#busiest === undefined || own > underWay(this.#busiest)))
      this.#busiest = flow;
  }

  /** Whether a flow is quiet now. */
  isQuiet(flow: Flow): boolean {
    return this.#isFew(underWay(flow));
  }

  /** Requests, within half a second, of quiet flows that ask for less than the busiest one, in this period or the one before. */
  quietRequests(now: number): number {
    this.#advance(now);
    return Math.max(this.#quietBefore.less, this.#quiet.less);
  }

  /** Whether a quiet flow asks for about as much as the busiest one, in this period or the one before. */
  hasAlike(now: number): boolean {
    this.#advance(now);
    return this.#quietBefore.alike + this.#quiet.alike > 0;
  }

  /**
   * Whether the busiest flow is to be held back: it had a large part of all requests under way when this period began, and no
   * quiet flow asks for about as much.
   */
  hasFlood(now: number): boolean {
    return !this.hasAlike(now) && this.#isFlood;
  }

  #isFew(requests: number): boolean {
    const most = this.#busiest === undefined ? 0 : underWay(this.#busiest);
    return most >= busyFrom && requests * quietTimes <= most;
  }

  #isAlike(asked: Asked): boolean {
    const most = this.#busiest && this.#asked.get(this.#busiest);
    // A flow that began within the last whole period was not counted for a whole one yet.
    const isKnown = most !== undefined && most.since <= this.#startedAt - activityPeriodMs;
    return isKnown && asked.perMs > 0 && asked.perMs * alikeTimes >= most.perMs;
  }

  #advance(now: number): void {
    const passed = now - this.#startedAt;
    if (passed < activityPeriodMs) return;
    const none = { less: 0, alike: 0 };
    this.#quietBefore = passed < 2 * activityPeriodMs ? this.#quiet : none;
    this.#quiet = { ...none };
    this.#startedAt = now;
    let all = 0;
    for (const [flow, asked] of this.#asked) {
      all += underWay(flow);
      asked.perMs = Math.max(asked.count / passed, asked.perMs * 0.5 ** (passed / askedHalfLifeMs));
      asked.count = 0;
      if (asked.perMs < leastAskedPerMs) this.#asked.delete(flow);
    }
    this.#isFlood = this.#busiest === undefined || underWay(this.#busiest) >= floodPart * all;
  }
}

function underWay({ executing, waiting }: Flow): number {
  return executing + waiting;
}

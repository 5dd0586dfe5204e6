import { createHash } from 'node:crypto';
import { estimatedMs, estimatedWork, FairQueue, type Refusal, type SeatRequest } from './fair-queue.ts';
import type { Flow } from './flow.ts';

/** The clock of a queue set. */
export interface QueueClock {
  /** Monotonic, in ms. */
  now(): number;
  /** Calls back once; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The queues of a priority level; undefined: requests without a seat are rejected. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Decides whether requests may start although there are seats. */
export interface StartGate {
  /** Whether a flow may start another request. Queue sets are told to `retry` when the answer changes. */
  admits(flow: Flow): boolean;
  /** Notes that a request of a flow has executed for `ranMs`. */
  finished(flow: Flow, ranMs: number): void;
  /** Resolves when a request of a flow that has executed for `ranMs` may go on; undefined: at once. */
  pause(flow: Flow, ranMs: number): Promise<void> | undefined;
}

/** Options of a queue set. */
interface QueueSetOptions {
  readonly clock: QueueClock;
  readonly gate: StartGate;
  /** Longest wait of a request, in ms. */
  readonly waitLimitMs: number;
  /** Called with the number of seats that are held or waited for, whenever it changes. */
  readonly onDemand?: (seats: number) => void;
}

/** The counts of requests since the set was made. */
interface QueueSetCounts {
  dispatched: number;
  rejected: number;
  timedOut: number;
  cancelled: number;
}

/**
 * The seats of one priority level, shared fairly between its flows (KEP-1040, "Fair Queuing for Server Requests").
 *
 * Shuffle sharding gives each flow a few of the queues, and each request goes to the one of them with the least work
 * waiting. The set keeps a progress in seat-ms: what each active queue would have been given by now if all seats were
 * divided equally at every moment. A queue keeps the progress at which its next request would begin; the estimate of a
 * request's work is added when it starts, and corrected by the measured time when it finishes. The queue whose next
 * request would finish first in this virtual time is served next. A flow with a thousand requests waiting is therefore
 * as far ahead as its share allows, and a request of a quiet flow starts next, whatever waits in other queues.
 */
export class QueueSet {
  readonly counts: QueueSetCounts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  /** Requests that execute without having come through a queue. */
  readonly queueless = new Set<SeatRequest>();
  readonly #options: QueueSetOptions;
  readonly #queues: FairQueue[] = [];
  /** The waiting requests in order of arrival. */
  readonly #waiting = new Set<SeatRequest>();
  #queuing: Queuing | undefined;
  #seatLimit = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;
  #executing = 0;
  #activeQueues = 0;
  #progress = 0;
  #progressAt: number;
  /** Index of the queue served last. */
  #turn = 0;
  #entered = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: QueueSetOptions) {
    this.#options = options;
    this.#progressAt = options.clock.now();
  }

  get queues(): readonly FairQueue[] {
    return this.#queues;
  }

  get seatLimit(): number {
    return this.#seatLimit;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get executing(): number {
    return this.#executing;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get isIdle(): boolean {
    return this.#executing === 0 && this.#waiting.size === 0 && this.#seatsInUse === 0;
  }

  /** Changes the queues. Queues that are no longer wanted go when they are empty; flows must be dealt new hands. */
  configure(queuing: Queuing | undefined): void {
    this.#advance();
    this.#queuing = queuing;
    for (let index = this.#queues.length; index < (queuing?.queues ?? 0); index++)
      this.#queues.push(new FairQueue(index));
    this.#trimQueues();
  }

  /** Changes the number of seats that may be in use. */
  limitSeats(seats: number): void {
    this.#advance();
    this.#seatLimit = seats;
    this.#dispatch();
  }

  /**
   * Enters a request: it executes at once (`execute`), waits until its `decided` is called (`wait`), or is refused.
   * The caller must call `finish` for a request that executes, and may call `cancel` for one that waits.
   */
  enter(request: SeatRequest): 'execute' | 'wait' | Refusal {
    this.#advance();
    request.arrivedAt = this.#progressAt;
    request.arrivalProgress = this.#progress;
    if (this.#queuing === undefined) return this.#enterWithoutQueue(request);
    const queue = this.#pickQueue(request.flow, this.#queuing);
    request.queue = queue;
    const starts =
      this.#waiting.size === 0 && this.#canSeat(request.seats) && this.#options.gate.admits(request.flow);
    if (starts) {
      if (!queue.isActive) queue.nextProgress = this.#progress;
      request.flow.meters.enqueued(queue.waiting.length + 1);
      request.flow.meters.dequeued();
      this.#start(request);
      return 'execute';
    }
    if (queue.waiting.length >= this.#queuing.queueLengthLimit && !request.isContinuation) {
      const isHeldBack = this.#seatsInUse >= this.#seatLimit || !this.#options.gate.admits(request.flow);
      if (isHeldBack) return this.#refuse(request, 'queue-full');
    }
    this.#enqueue(request, queue);
    this.#dispatch();
    return request.startedAt === undefined ? 'wait' : 'execute';
  }

  /** Takes a request that still waits out of its queue. */
  cancel(request: SeatRequest): void {
    if (!this.#waiting.has(request)) return;
    this.#advance();
    this.#dequeue(request);
    request.queue?.bound();
    this.#refuse(request, 'cancelled');
    this.#dispatch();
  }

  /** Takes the seats of a request back, at once or after its final phase. */
  finish(request: SeatRequest): void {
    const { clock, gate } = this.#options;
    this.#advance();
    const ranMs = this.#progressAt - (request.startedAt ?? this.#progressAt);
    this.#executing--;
    request.flow.executing--;
    request.flow.meters.finished(ranMs, request.isWatch);
    gate.finished(request.flow, ranMs);
    const { queue, work } = request;
    if (queue === undefined) this.queueless.delete(request);
    else {
      queue.executing--;
      if (!queue.isActive) this.#activeQueues--;
      queue.nextProgress -= work.initialSeats * (estimatedMs - ranMs);
      queue.bound();
    }
    if (work.finalSeats > 0 && work.finalMs > 0) {
      clock.after(work.finalMs, () => {
        this.#advance();
        this.#release(request);
        this.#dispatch();
      });
    } else this.#release(request);
    this.#dispatch();
  }

  /** Throttles a request that executes between two parts of its work, if its flow must wait. */
  pause({ flow, startedAt }: SeatRequest): Promise<void> | undefined {
    const { clock, gate } = this.#options;
    return startedAt === undefined ? undefined : gate.pause(flow, clock.now() - startedAt);
  }

  /** Starts what may start now, after the gate has opened. */
  retry(): void {
    if (this.#waiting.size === 0) return;
    this.#advance();
    this.#dispatch();
  }

  /** Refuses what has waited for at least so long. */
  refuseWaiting(atLeastMs = 0): void {
    this.#advance();
    for (const request of this.#waiting) {
      if (request.arrivedAt + atLeastMs > this.#progressAt) break;
      if (request.isContinuation) continue;
      this.#dequeue(request);
      request.queue?.bound();
      request.decided(this.#refuse(request, 'time-out'));
    }
    this.#dispatch();
  }

  #enterWithoutQueue(request: SeatRequest): 'execute' | Refusal {
    if (!this.#canSeat(request.seats) && !request.isContinuation)
      return this.#refuse(request, 'concurrency-limit');
    this.queueless.add(request);
    this.#start(request);
    return 'execute';
  }

  /** The queue of the flow's hand with the least work waiting; each call starts the comparison at another one. */
  #pickQueue(flow: Flow, queuing: Queuing): FairQueue {
    flow.hand ??= dealHand(`${flow.schema}\0${flow.distinguisher}`, queuing);
    const { hand } = flow;
    const offset = this.#entered++;
    let best: FairQueue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const queue = this.#queues[hand[(offset + i) % hand.length] ?? 0];
      if (queue !== undefined && (best === undefined || queue.workWaiting < best.workWaiting)) best = queue;
    }
    if (best === undefined) throw new Error('a flow has a hand of queues that do not exist');
    return best;
  }

  #enqueue(request: SeatRequest, queue: FairQueue): void {
    if (!queue.isActive) {
      queue.nextProgress = this.#progress;
      this.#activeQueues++;
    }
    queue.add(request);
    this.#waiting.add(request);
    request.flow.waiting++;
    this.#seatsWaiting += request.seats;
    request.flow.meters.enqueued(queue.waiting.length);
    this.#demandChanged();
    this.#scheduleTimeOut();
  }

  /** Takes a request out of its queue. */
  #dequeue(request: SeatRequest): void {
    const { queue } = request;
    if (queue === undefined) return;
    queue.remove(request);
    if (!queue.isActive) this.#activeQueues--;
    this.#waiting.delete(request);
    request.flow.waiting--;
    this.#seatsWaiting -= request.seats;
    request.flow.meters.dequeued();
    this.#demandChanged();
  }

  #dispatch(): void {
    while (this.#waiting.size > 0 && this.#seatsInUse < this.#seatLimit) {
      const request = this.#next();
      if (request === undefined || !this.#canSeat(request.seats)) return;
      this.#turn = request.queue?.index ?? 0;
      this.#dequeue(request);
      this.#start(request);
      request.decided('execute');
    }
  }

  /** The oldest request of the queue that would finish first in virtual time, among those that the gate admits. */
  #next(): SeatRequest | undefined {
    const { gate } = this.#options;
    let next: SeatRequest | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (let i = 1; i <= this.#queues.length; i++) {
      const queue = this.#queues[(this.#turn + i) % this.#queues.length];
      const [oldest] = queue?.waiting ?? [];
      if (queue === undefined || oldest === undefined || !gate.admits(oldest.flow)) continue;
      const finish = queue.nextProgress + estimatedWork(oldest.work);
      if (finish < earliest) {
        earliest = finish;
        next = oldest;
      }
    }
    return next;
  }

  #start(request: SeatRequest): void {
    const { queue, seats, flow } = request;
    request.startedAt = this.#progressAt;
    this.counts.dispatched++;
    this.#executing++;
    this.#seatsInUse += seats;
    flow.executing++;
    if (queue !== undefined) {
      if (!queue.isActive) this.#activeQueues++;
      queue.executing++;
      queue.seatsInUse += seats;
      queue.nextProgress += estimatedWork(request.work);
      queue.bound();
    }
    flow.meters.started(seats, request.startedAt - request.arrivedAt);
    this.#demandChanged();
  }

  #release(request: SeatRequest): void {
    this.#seatsInUse -= request.seats;
    if (request.queue !== undefined) request.queue.seatsInUse -= request.seats;
    request.flow.meters.released(request.seats);
    this.#demandChanged();
    this.#trimQueues();
  }

  #refuse(request: SeatRequest, reason: Refusal): Refusal {
    if (reason === 'time-out') this.counts.timedOut++;
    else if (reason === 'cancelled') this.counts.cancelled++;
    else this.counts.rejected++;
    request.flow.meters.refused(reason, this.#progressAt - request.arrivedAt);
    return reason;
  }

  /** A request of more seats than there are executes alone. */
  #canSeat(seats: number): boolean {
    if (seats > this.#seatLimit) return this.#seatsInUse === 0;
    return this.#seatsInUse + seats <= this.#seatLimit;
  }

  /** Advances the progress by the time since the last change of the state; to be called before a change. */
  #advance(): void {
    const now = this.#options.clock.now();
    if (this.#activeQueues > 0) {
      const seats = Math.min(this.#seatsInUse + this.#seatsWaiting, this.#seatLimit);
      this.#progress += ((now - this.#progressAt) * seats) / this.#activeQueues;
    }
    this.#progressAt = now;
  }

  #scheduleTimeOut(): void {
    if (this.#cancelTimer !== undefined) return;
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    const { clock, waitLimitMs } = this.#options;
    const ms = Math.max(1, oldest.arrivedAt + waitLimitMs - this.#progressAt);
    this.#cancelTimer = clock.after(ms, () => this.#timeOut());
  }

  #timeOut(): void {
    this.#cancelTimer = undefined;
    this.refuseWaiting(this.#options.waitLimitMs);
    this.#scheduleTimeOut();
  }

  #trimQueues(): void {
    const wanted = this.#queuing?.queues ?? 0;
    while (this.#queues.length > wanted) {
      const last = this.#queues.at(-1);
      if (last === undefined || last.isActive || last.seatsInUse > 0) return;
      this.#queues.pop();
    }
    if (this.#turn >= this.#queues.length) this.#turn = 0;
  }

  #demandChanged(): void {
    this.#options.onDemand?.(this.#seatsInUse + this.#seatsWaiting);
  }
}

/**
 * Deals a flow its hand: `handSize` different queues out of `queues`, always the same ones for the same flow. Two flows
 * rarely have the same hand, so a flow that fills all its queues leaves every other flow at least one that is free.
 */
export function dealHand(flow: string, { queues, handSize }: { queues: number; handSize: number }): number[] {
  let entropy = createHash('sha256').update(flow).digest().readBigUInt64BE(0);
  const hand: number[] = [];
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(queues - dealt);
    hand.push(cardAt(hand, Number(entropy % left)));
    entropy /= left;
  }
  return hand;
}

/** The card at a position among those that are not dealt yet. */
function cardAt(dealt: readonly number[], position: number): number {
  let card = position;
  for (const taken of dealt.toSorted((a, b) => a - b)) if (card >= taken) card++;
  return card;
}

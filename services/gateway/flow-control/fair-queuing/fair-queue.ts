import type { Flow } from './flow.ts';
import { mostSeats, type WorkEstimate } from './work-estimate.ts';

/** Assumed execution time of a request until it is known, in ms. */
export const estimatedMs = 3;

/** The work of a request in seat-ms, as it is estimated before it executes. */
export function estimatedWork({ initialSeats, finalSeats, finalMs }: WorkEstimate): number {
  return initialSeats * estimatedMs + finalSeats * finalMs;
}

/** One queue of a set: requests in order of arrival, and how far the queue has come in virtual time. */
export class FairQueue {
  readonly index: number;
  readonly waiting: SeatRequest[] = [];
  /** The progress at which its next request would begin if all queues were served at the same rate, in seat-ms. */
  nextProgress = 0;
  executing = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  /** Estimated work of the waiting requests, in seat-ms. */
  workWaiting = 0;

  constructor(index: number) {
    this.index = index;
  }

  /** Whether it takes part in the sharing of seats. */
  get isActive(): boolean {
    return this.waiting.length > 0 || this.executing > 0;
  }

  add(request: SeatRequest): void {
    this.waiting.push(request);
    this.seatsWaiting += request.seats;
    this.workWaiting += estimatedWork(request.work);
  }

  remove(request: SeatRequest): boolean {
    const place = this.waiting.indexOf(request);
    if (place < 0) return false;
    this.waiting.splice(place, 1);
    this.seatsWaiting -= request.seats;
    this.workWaiting -= estimatedWork(request.work);
    return true;
  }

  /** Keeps a queue from saving up an unused share: in virtual time no request begins before it arrived. */
  bound(): void {
    const [oldest] = this.waiting;
    if (oldest !== undefined) this.nextProgress = Math.max(this.nextProgress, oldest.arrivalProgress);
  }
}

/** The reason why a request gets no seat. */
export type Refusal = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** The decision on a request that waited. */
export type Decision = 'execute' | Refusal;

/** Further facts about a request for seats. */
interface SeatRequestFacts {
  readonly isContinuation?: boolean;
  readonly isWatch?: boolean;
  readonly about?: unknown;
}

/** A request's way through a queue set: it waits, holds seats, and gives them back. */
export class SeatRequest {
  readonly flow: Flow;
  readonly work: WorkEstimate;
  readonly seats: number;
  /** Whether the request continues an answer that has begun: it waits for its seat, and is never refused. */
  readonly isContinuation: boolean;
  /** Whether it is a watch, which holds its seat until it has begun. */
  readonly isWatch: boolean;
  /** The description of the request, for the debug tables. */
  readonly about: unknown;
  /** Called once if the request has to wait, when the waiting ends. */
  decided: (decision: Decision) => void = () => {};
  queue: FairQueue | undefined;
  /** In ms of the set's clock. */
  arrivedAt = 0;
  /** Progress of the set at arrival, in seat-ms. */
  arrivalProgress = 0;
  /** Start of execution, in ms of the set's clock; undefined while the request waits. */
  startedAt: number | undefined;

  constructor(flow: Flow, work: WorkEstimate, more: SeatRequestFacts = {}) {
    this.flow = flow;
    this.work = work;
    this.seats = mostSeats(work);
    this.isContinuation = more.isContinuation ?? false;
    this.isWatch = more.isWatch ?? false;
    this.about = more.about;
  }
}

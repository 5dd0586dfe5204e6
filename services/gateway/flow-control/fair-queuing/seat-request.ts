import type { FairQueue } from './fair-queue.ts';
import type { Flow } from './flow.ts';
import type { WorkEstimate } from './work-estimate.ts';
import { seatsOf } from './work-estimate.ts';

/** Why a request gets no seat. */
export type Refusal = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** What becomes of a request that waited. */
export type Decision = 'execute' | Refusal;

/** What else is known of a request for seats. */
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
  /** Whether it goes on with an answer that has begun: it waits for its seat, and is never refused. */
  readonly isContinuation: boolean;
  /** Whether it is a watch, which holds its seat until it has begun. */
  readonly isWatch: boolean;
  /** What the request is, for the debug tables. */
  readonly about: unknown;
  /** Called once if the request has to wait, when the waiting ends. */
  decided: (decision: Decision) => void = () => {};
  queue: FairQueue | undefined;
  /** In ms of the set's clock. */
  arrivedAt = 0;
  /** In seat-ms of the set's progress. */
  arrivalProgress = 0;
  /** In ms of the set's clock; undefined while it waits. */
  startedAt: number | undefined;

  constructor(flow: Flow, work: WorkEstimate, more: SeatRequestFacts = {}) {
    this.flow = flow;
    this.work = work;
    this.seats = seatsOf(work);
    this.isContinuation = more.isContinuation ?? false;
    this.isWatch = more.isWatch ?? false;
    this.about = more.about;
  }
}

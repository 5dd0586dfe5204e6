import type { SeatRequest } from './seat-request.ts';
import type { WorkEstimate } from './work-estimate.ts';

/** The time that a request is taken to execute until it is known, in ms. */
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
  /** Of the requests that wait, in seat-ms. */
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

  /** Keeps a queue that used less than its share from saving it up: nothing begins before it arrived. */
  bound(): void {
    const [oldest] = this.waiting;
    if (oldest !== undefined) this.nextProgress = Math.max(this.nextProgress, oldest.arrivalProgress);
  }
}

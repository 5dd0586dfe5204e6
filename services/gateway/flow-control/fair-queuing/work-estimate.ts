/** The estimated work of a request. */
export interface WorkEstimate {
  /** Seats while it executes. */
  readonly initialSeats: number;
  /** Seats for the time after it, while its watch events are delivered; 0: none. */
  readonly finalSeats: number;
  /** Time for which the final seats are held, in ms. */
  readonly finalMs: number;
}

/** The estimate of most requests: one seat, no final phase. */
export const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, finalMs: 0 };

/** The seats that a request takes, in both phases. */
export function mostSeats({ initialSeats, finalSeats }: WorkEstimate): number {
  return Math.max(initialSeats, finalSeats);
}

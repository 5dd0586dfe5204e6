/** The demand of one priority level for the seats that are divided. */
interface SeatDemand {
  readonly target: number;
  /** The level's least seats; at most `target`. */
  readonly least: number;
  readonly most: number;
}

/** A target is never taken to be smaller. */
const leastTarget = 0.001;
const halvings = 64;

/**
 * Divides seats so that each level gets the same multiple of its target, bounded by its least and most. Where all the
 * bounds together do not allow for the sum, each level gets its bound.
 */
export function allocateSeats(sum: number, demands: readonly SeatDemand[]): number[] {
  const at = (proportion: number) =>
    demands.map(({ target, least, most }) =>
      Math.max(least, Math.min(most, proportion * Math.max(target, leastTarget))),
    );
  const total = (seats: readonly number[]) => seats.reduce((a, b) => a + b, 0);
  // Beyond this proportion every level has its most.
  let high = Math.max(1, ...demands.map(({ target, most }) => most / Math.max(target, leastTarget)));
  let low = 0;
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (total(at(middle)) < sum) low = middle;
    else high = middle;
  }
  return at(high);
}

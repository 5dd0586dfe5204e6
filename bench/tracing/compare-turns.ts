import { findMedian } from '../encoding/figures.ts';

/** A difference in percent, and the bounds between which its true value lies with a confidence of 95 %. */
interface Difference {
  readonly percent: number;
  readonly low: number;
  readonly high: number;
}

/** Standard deviations of a normal distribution that hold 95 % of it. */
const deviations = 1.96;

/**
 * Compares values with others that were measured in the same turns. The median of the differences, and bounds by their order alone: they hold
 * for any distribution of the errors, and a few turns that something else disturbed do not move them. Fewer than 6 turns have no such bounds: then
 * they are the least and the greatest difference.
 */
export function compareTurns(values: readonly number[], bases: readonly number[]): Difference {
  const percents = values
    .map((value, turn) => {
      const base = bases[turn] ?? Number.NaN;
      return ((value - base) / base) * 100;
    })
    .sort((a, b) => a - b);
  const turns = percents.length;
  const outside = Math.max(0, Math.floor((turns - deviations * Math.sqrt(turns)) / 2));
  return {
    percent: findMedian(percents),
    low: percents[outside] ?? Number.NaN,
    high: percents[turns - 1 - outside] ?? Number.NaN,
  };
}

/** A range of costs or sizes; the maximum may be infinite. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Creates the range of a single number. */
export function exactly(value: number): Range {
  return { min: value, max: value };
}

/** The range of an unknown size. */
export const anySize: Range = { min: 0, max: Number.POSITIVE_INFINITY };

/** Adds ranges. */
export function addRanges(...ranges: readonly Range[]): Range {
  let min = 0;
  let max = 0;
  for (const range of ranges) {
    min += range.min;
    max += range.max;
  }
  return { min, max };
}

/** Multiplies ranges; zero times infinity is zero. */
export function multiplyRanges(left: Range, right: Range): Range {
  return { min: product(left.min, right.min), max: product(left.max, right.max) };
}

/** Scales both ends of a range, rounding up. */
export function scaleRange({ min, max }: Range, factor: number): Range {
  return { min: Math.ceil(min * factor), max: Math.ceil(max * factor) };
}

/** Returns the smallest range that contains both ranges. */
export function eitherRange(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}

function product(left: number, right: number): number {
  return left === 0 || right === 0 ? 0 : left * right;
}

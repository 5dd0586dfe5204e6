/** From the least to the most that a cost or a size may be; the most may be infinite. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A range of one number. */
export function exactly(value: number): Range {
  return { min: value, max: value };
}

/** The range of a size that may be anything. */
export const anySize: Range = { min: 0, max: Number.POSITIVE_INFINITY };

/** One after the other. */
export function addRanges(...ranges: readonly Range[]): Range {
  let min = 0;
  let max = 0;
  for (const range of ranges) {
    min += range.min;
    max += range.max;
  }
  return { min, max };
}

/** One for each of the other; nothing, however often, is nothing. */
export function multiplyRanges(left: Range, right: Range): Range {
  return { min: product(left.min, right.min), max: product(left.max, right.max) };
}

/** A part of each end, rounded up. */
export function scaleRange({ min, max }: Range, factor: number): Range {
  return { min: Math.ceil(min * factor), max: Math.ceil(max * factor) };
}

/** Either of them. */
export function eitherRange(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}

function product(left: number, right: number): number {
  return left === 0 || right === 0 ? 0 : left * right;
}

import { CelError } from './cel-error.ts';

/** The greatest uint. */
export const maxUint = 2n ** 64n - 1n;

/** A whole number as an int, or the error of one that 64 bits do not hold. */
export function intOrOverflow(value: bigint): bigint | CelError {
  return BigInt.asIntN(64, value) === value ? value : new CelError('integer overflow');
}

/** A double cut to an int; doubles of 2^63 and beyond, and what is no number, are out of range. */
export function intFromDouble(value: number): bigint | CelError {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return new CelError('integer overflow: double out of range');
  return BigInt(Math.trunc(value));
}

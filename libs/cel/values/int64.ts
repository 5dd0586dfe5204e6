import { CelError } from './cel-error.ts';

/** The maximum uint. */
export const maxUint = 2n ** 64n - 1n;

/** Returns an integer as an int, or an error if it exceeds 64 bits. */
export function intOrOverflow(value: bigint): bigint | CelError {
  return BigInt.asIntN(64, value) === value ? value : new CelError('integer overflow');
}

/** Truncates a double to an int; an error for NaN and for magnitudes from 2^63. */
export function intFromDouble(value: number): bigint | CelError {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return new CelError('integer overflow: double out of range');
  return BigInt(Math.trunc(value));
}

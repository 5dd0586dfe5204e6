import { tryParseQuantity } from '@binnacle/api-objects';

/** The text of most amounts of bytes, which is not looked at any further. */
const wholeBytes = /^\d+(?:[KMGTPE]i|[kMGTPE])?$/;

const nanosInThousandth = 1_000_000n;

/** A warning about an amount of bytes at a path that is no whole number, as where `400m` was written for `400Mi`. */
export function fractionalBytesWarnings(value: string | undefined, path: string): string[] {
  if (value === undefined || wholeBytes.test(value)) return [];
  const amount = tryParseQuantity(value);
  if (amount === undefined || (amount.nanos / nanosInThousandth) % 1000n === 0n) return [];
  return [`${path}: fractional number of bytes ${JSON.stringify(value)}, must be a whole number`];
}

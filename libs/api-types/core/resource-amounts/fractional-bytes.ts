import { tryParseQuantity } from '@binnacle/api-objects';

/** Matches most byte amounts, which need no parsing. */
const wholeBytes = /^\d+(?:[KMGTPE]i|[kMGTPE])?$/;

const nanosInThousandth = 1_000_000n;

/** Returns the warning about a fractional number of bytes (`400m` instead of `400Mi`); undefined for others. */
export function fractionalBytesNote(value: string | undefined): string | undefined {
  if (value === undefined || wholeBytes.test(value)) return undefined;
  const amount = tryParseQuantity(value);
  if (amount === undefined || (amount.nanos / nanosInThousandth) % 1000n === 0n) return undefined;
  return `fractional number of bytes ${JSON.stringify(value)}, must be a whole number`;
}

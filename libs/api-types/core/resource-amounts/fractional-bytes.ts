import { tryParseQuantity } from '@binnacle/api-objects';

/** The text of most amounts of bytes, which is not looked at any further. */
const wholeBytes = /^\d+(?:[KMGTPE]i|[kMGTPE])?$/;

const nanosInThousandth = 1_000_000n;

/** The warning about an amount of bytes that is no whole number (`400m` for `400Mi`); undefined for others. */
export function fractionalBytesNote(value: string | undefined): string | undefined {
  if (value === undefined || wholeBytes.test(value)) return undefined;
  const amount = tryParseQuantity(value);
  if (amount === undefined || (amount.nanos / nanosInThousandth) % 1000n === 0n) return undefined;
  return `fractional number of bytes ${JSON.stringify(value)}, must be a whole number`;
}

import { badRequest } from '@binnacle/status-errors';

/** Largest number that Kubernetes accepts as a version. */
const largestVersion = 2n ** 64n - 1n;

/**
 * Parses a resourceVersion to a revision of the store. The empty text and `0` are 0. A version beyond 2^53 - 1, which no store reaches,
 * is 2^53 - 1: later than everything that is stored. Throws BadRequest for anything but decimal digits, and for numbers of more than
 * 64 bits.
 */
export function parseResourceVersion(text: string): number {
  if (text === '') return 0;
  const revision = isDecimal(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(revision)) return revision;
  if (Number.isNaN(revision) || BigInt(text) > largestVersion)
    throw badRequest(`resourceVersion ${quoteShort(text)} is not a valid version`);
  return Number.MAX_SAFE_INTEGER;
}

function isDecimal(text: string): boolean {
  return text.length <= 20 && /^[0-9]+$/.test(text);
}

function quoteShort(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}

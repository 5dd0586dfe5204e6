import { badRequest } from '@binnacle/status-errors';

/**
 * Parses a resourceVersion to a revision of the store. The empty text and `0` are 0. Throws BadRequest for anything but decimal
 * digits, and for numbers beyond 2^53 - 1.
 */
export function parseResourceVersion(text: string): number {
  if (text === '') return 0;
  const revision = isDecimal(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(revision))
    throw badRequest(`resourceVersion ${quoteShort(text)} is not a valid version`);
  return revision;
}

function isDecimal(text: string): boolean {
  return text.length <= 20 && /^[0-9]+$/.test(text);
}

function quoteShort(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}

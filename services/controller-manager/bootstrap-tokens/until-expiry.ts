import type { BootstrapToken } from '@binnacle/api-types';

/** The longest wait: clocks may be adjusted, and timers do not last for months. */
const longestMs = 3600_000;

/** Computes the milliseconds until the first of some tokens expires, at most `longestMs`; undefined where none expires. */
export function untilExpiry(
  tokens: Iterable<Pick<BootstrapToken, 'expiresAt'>>,
  now: number,
): number | undefined {
  let first = Number.POSITIVE_INFINITY;
  for (const { expiresAt } of tokens) first = Math.min(first, expiresAt);
  return first === Number.POSITIVE_INFINITY
    ? undefined
    : Math.min(Math.max(1, Math.ceil(first - now)), longestMs);
}

import type { BootstrapToken } from '@binnacle/api-types';

/** Clocks are set, and timers do not last for months: what expires later is looked at anyway. */
const longestMs = 3600_000;

/** The time until the first of some tokens expires, in ms, or until they must be looked at anyway; undefined where none does. */
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

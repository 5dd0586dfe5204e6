import { Backoff } from '@binnacle/event-loop';
import type { WatchCacheClock } from '../contract/environment.ts';

/** Longest pause between attempts that the other side refuses: only a change of its settings or ours can help. */
export const refusedLongestMs = 10_000;

/** Pauses between attempts to read from the feed or from storage, of 2 s at most. */
export function createRetryBackoff(clock: WatchCacheClock, random?: () => number): Backoff {
  return new Backoff({ firstMs: 50, longestMs: 2_000, clock, ...(random && { random }) });
}

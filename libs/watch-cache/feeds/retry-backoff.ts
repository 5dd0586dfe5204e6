import { Backoff } from '@binnacle/event-loop';
import type { WatchCacheClock } from '../contract/environment.ts';

/** Longest pause in ms between attempts that the backend refuses: only a change of configuration helps. */
export const refusedLongestMs = 10_000;

/** Creates the back-off for reads of the feed or storage: 50 ms to 2 s. */
export function createRetryBackoff(clock: WatchCacheClock, random?: () => number): Backoff {
  return new Backoff({ firstMs: 50, longestMs: 2_000, clock, ...(random && { random }) });
}

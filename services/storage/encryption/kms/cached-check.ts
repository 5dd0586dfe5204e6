import type { FailureLog } from '@binnacle/telemetry';

/** Milliseconds for which the health of a plugin counts: good, and failed. */
export interface HealthIntervals {
  readonly goodMs: number;
  readonly failedMs: number;
}

/** Options of a cached check. */
interface CachedCheckOptions {
  readonly intervals: HealthIntervals;
  readonly failures: FailureLog;
}

/** Wraps a check so that its outcome is logged and counts for some time; concurrent calls share one check. */
export function cachedCheck(
  check: () => Promise<void>,
  { intervals, failures }: CachedCheckOptions,
): () => Promise<void> {
  let last: { readonly outcome: Promise<void>; until: number } | undefined;
  return () => {
    if (last !== undefined && performance.now() < last.until) return last.outcome;
    const begun = { outcome: check(), until: Number.POSITIVE_INFINITY };
    last = begun;
    begun.outcome.then(
      () => {
        begun.until = performance.now() + intervals.goodMs;
        failures.worked();
      },
      (thrown: unknown) => {
        begun.until = performance.now() + intervals.failedMs;
        failures.failed(thrown);
      },
    );
    return begun.outcome;
  };
}

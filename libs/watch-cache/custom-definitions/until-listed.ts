import { deadlineIn, millisecondsUntil } from '@binnacle/proto';
import type { TypeCache } from '../contract/contract.ts';

const timeoutMs = 60_000;

/** Resolves once a replica shows the state of the store, when the cache lets it go, or when the signal aborts. */
export async function untilListed(replica: TypeCache, signal: AbortSignal): Promise<void> {
  // No revision before the first: a replica that is not listed yet is at 0.
  while (replica.revision < 1 && !signal.aborted) {
    const call = {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      deadline: deadlineIn(timeoutMs),
    };
    try {
      await replica.waitFor(1, call);
    } catch {
      // A wait is refused before its deadline only when no more changes will come.
      if (!call.signal.aborted && millisecondsUntil(call.deadline) > 0) return;
    }
  }
}

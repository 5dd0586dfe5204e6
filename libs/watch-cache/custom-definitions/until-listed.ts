import type { TypeCache } from '../contract.ts';

const patienceMs = 60_000;

/** Resolves once a replica shows the state of the store, when the cache lets it go, or when the signal aborts. */
export async function untilListed(replica: TypeCache, signal: AbortSignal): Promise<void> {
  // No revision before the first: a replica that is not listed yet is at 0.
  while (replica.revision < 1 && !signal.aborted) {
    const call = {
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      deadline: Date.now() + patienceMs,
    };
    try {
      await replica.waitFor(1, call);
    } catch {
      // Whoever waits is refused before the time is up only when nothing is to come any more.
      if (!call.signal.aborted && Date.now() < call.deadline) return;
    }
  }
}

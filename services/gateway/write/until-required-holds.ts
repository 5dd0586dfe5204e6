import { setTimeout as sleep } from 'node:timers/promises';
import { serverTimeout, timeout } from '@binnacle/status-errors';
import type { ApiRequest } from '../pipeline/api-request.ts';
import { resourceNameOf } from './names.ts';

/** How long to wait before each further review: what admission reads from its cache has to catch up. */
const delaysMs = [0, 5, 20, 50, 100, 200, 400];

/** What a review said, and how the commit after it ended. */
export interface ReviewedCommit<R, O extends { readonly kind: string }> {
  readonly reviewed: R;
  readonly outcome: O;
}

/**
 * Repeats a review and its commit for as long as what admission relied on had changed when it came to the commit. Such a
 * commit wrote nothing. Throws ServerTimeout when it goes on for too long.
 */
export async function untilRequiredHolds<R, O extends { readonly kind: string }>(
  request: ApiRequest,
  operation: string,
  reviewAndCommit: () => Promise<ReviewedCommit<R, O>>,
): Promise<ReviewedCommit<R, Exclude<O, { readonly kind: 'required-changed' }>>> {
  for (const delay of delaysMs) {
    if (delay > 0) await pause(delay, request.call.signal);
    const { reviewed, outcome } = await reviewAndCommit();
    // The type checker does not narrow a type parameter by one of its members.
    if (outcome.kind !== 'required-changed')
      return { reviewed, outcome: outcome as Exclude<O, { readonly kind: 'required-changed' }> };
  }
  throw serverTimeout(resourceNameOf(request.definition), operation, 1);
}

async function pause(delay: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(delay, undefined, { signal });
  } catch {
    throw timeout('the request ended while it waited for the caches of admission; nothing was changed');
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { serverTimeout, timeout } from '@binnacle/status-errors';
import type { ApiRequest, GatewayServices } from '../pipeline/api-request.ts';
import type { KeyLocks } from './key-locks.ts';
import { namespaceOf, resourceNameOf } from './names.ts';

/**
 * How long to wait, at most, before each further review: what admission reads from its cache has to catch up, and writes
 * through other gateways have to come through.
 */
const delaysMs = [0, 5, 10, 20, 20, 50, 50, 100, 100, 200, 400];

/**
 * How long a write waits for its turn before it goes on without one: the turn may belong to a write whose webhook waits
 * for this very write.
 */
const timeoutMs = 3_000;

/** What a review said, and how the commit after it ended. */
export interface ReviewedCommit<R, O extends { readonly kind: string }> {
  readonly reviewed: R;
  readonly outcome: O;
}

/** A write that is reviewed and committed until what the review relied on holds. */
export interface RepeatableWrite<R, O extends { readonly kind: string }> {
  readonly operation: 'create' | 'update' | 'delete';
  /** `again` is false unless what a review relies on is known to change at the time. */
  reviewAndCommit(again: boolean): Promise<ReviewedCommit<R, O>>;
}

/**
 * Repeats a review and its commit for as long as what admission relied on had changed when it came to the commit. Such a
 * commit wrote nothing. From the second attempt on, writes of one type in one namespace go one after another; creations
 * and deletions do so from the first while there are others. Throws ServerTimeout when it goes on for too long.
 */
export async function untilRequiredHolds<R, O extends { readonly kind: string }>(
  request: ApiRequest,
  { writeLocks }: Pick<GatewayServices, 'writeLocks'>,
  { operation, reviewAndCommit }: RepeatableWrite<R, O>,
): Promise<ReviewedCommit<R, Exclude<O, { readonly kind: 'required-changed' }>>> {
  const key = `${request.definition.storagePrefix}${namespaceOf(request)}`;
  if (operation === 'update' || !writeLocks.isHeld(key)) {
    const first = await reviewAndCommit(false);
    if (isSettled(first)) return first;
  }
  using _lock = await unlessEnded(acquireInTime(writeLocks, key, request.call.signal));
  for (const delay of delaysMs) {
    // Writers at other gateways who lost to the same write must not come back at the same moment.
    if (delay > 0) await unlessEnded(sleep(delay * Math.random(), undefined, request.call));
    const next = await reviewAndCommit(true);
    if (isSettled(next)) return next;
  }
  throw serverTimeout(resourceNameOf(request.definition), operation, 1);
}

/** The lock of a key; undefined when it does not come in time, and the write goes on without. */
async function acquireInTime(
  writeLocks: KeyLocks,
  key: string,
  signal: AbortSignal,
): Promise<Disposable | undefined> {
  try {
    return await writeLocks.acquire(key, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function isSettled<R, O extends { readonly kind: string }>(
  end: ReviewedCommit<R, O>,
): end is ReviewedCommit<R, Exclude<O, { readonly kind: 'required-changed' }>> {
  return end.outcome.kind !== 'required-changed';
}

async function unlessEnded<T>(waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch {
    throw timeout('the request ended while it waited for other writes; nothing was changed');
  }
}

import { StatusError } from '@binnacle/status-errors';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';

/** Waits for the answer of a request; returns undefined when the object does not exist. */
export async function found<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}

/**
 * Waits for a write. A conflict leads to a retry of the pass; in a namespace that is being deleted nothing remains to do.
 */
export async function settle(request: Promise<unknown>): Promise<Reconciled> {
  try {
    await request;
    return done;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const isGoing = error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
    if (isGoing) return done;
    if (error.code === 404 || error.code === 409) return retry;
    throw error;
  }
}

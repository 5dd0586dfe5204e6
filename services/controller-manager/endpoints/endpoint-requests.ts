import { StatusError } from '@binnacle/status-errors';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';

/** The answer of a request; undefined when the object is not there. */
export async function found<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}

/**
 * Waits for a write. After a conflict it is computed anew; in a namespace that is being deleted there is nothing to do.
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

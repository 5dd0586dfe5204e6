import { StatusError } from '@binnacle/status-errors';

/** How often a write starts again because the object came into being meanwhile. */
const attempts = 3;

/**
 * Repeats a write that creates what it does not find: when another write created the object between the look for it and
 * the creation, there is one to update.
 */
export async function retryWhenCreated<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (thrown) {
      const createdMeanwhile = thrown instanceof StatusError && thrown.reason === 'AlreadyExists';
      if (attempt === attempts || !createdMeanwhile) throw thrown;
    }
  }
}

import type { Review } from './review.ts';

/** Whether a plugin changed the object. */
export type Mutation = 'changed' | 'unchanged';

/**
 * One admission plugin, for one or both phases of a review. It refuses a write by throwing a StatusError.
 *
 * A plugin ignores reviews that do not concern it, and passes the review's call on to everything that it waits for.
 */
export interface AdmissionPlugin {
  /** The name as written in flags: `NamespaceLifecycle`. */
  readonly name: string;
  /** Runs before validation; may change the object that `objectToChange` returns. Returns a promise only where it waits. */
  mutate?(review: Review): Mutation | Promise<Mutation>;
  /** Runs after validation; changes nothing. Returns a promise only where it waits. */
  validate?(review: Review): void | Promise<void>;
}

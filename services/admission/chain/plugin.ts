import type { Review } from './review.ts';

/** Whether a plugin changed the object. */
export type Mutation = 'changed' | 'unchanged';

/**
 * One admission plugin, for one or both phases of a review. It refuses a write by throwing a StatusError.
 *
 * A plugin leaves reviews that do not concern it alone, and honours the review's call in everything that it waits for.
 */
export interface AdmissionPlugin {
  /** As the flags write it: `NamespaceLifecycle`. */
  readonly name: string;
  /** Runs before validation; may change what `objectToChange` gives. Answers without a promise where there is nothing to wait for. */
  mutate?(review: Review): Mutation | Promise<Mutation>;
  /** Runs after validation; changes nothing. Answers without a promise where there is nothing to wait for. */
  validate?(review: Review): void | Promise<void>;
}

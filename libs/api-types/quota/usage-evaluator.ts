import type { ApiObject } from '@binnacle/api-objects';
import type { Usage } from './usage.ts';

/** A scope requirement of a quota. */
export interface ScopeRequirement {
  readonly scope: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** Computes the quota usage of objects of one type. All functions are pure. */
export interface UsageEvaluator {
  /** Whether such objects use a resource, by its canonical name. */
  counts(name: string): boolean;
  /**
   * Returns the usage of one object, by canonical names. It depends only on the object, not on the time, so that a later write
   * can release exactly what an earlier one charged.
   */
  computeUsage(object: ApiObject): Usage;
  /** Whether an object is in a scope. */
  isInScope(object: ApiObject, requirement: ScopeRequirement): boolean;
  /**
   * Returns a message for the client about resources that an object must specify because a quota limits these names; '' for none.
   */
  unsaid(object: ApiObject, names: readonly string[]): string;
  /** Whether an update beyond the quota is refused; otherwise it is only recorded. */
  readonly limitsUpdates: boolean;
}

import type { ApiObject } from '@binnacle/api-objects';
import type { Usage } from './usage.ts';

/** A condition on what a quota counts. */
export interface ScopeRequirement {
  readonly scope: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** How objects of one type use what quotas limit. All functions are pure. */
export interface UsageEvaluator {
  /** Whether an amount of this name, the cluster's own, is used by such objects. */
  counts(name: string): boolean;
  /**
   * The usage of one object, by the cluster's own names. It depends on the object alone, not on the time: the amount that one
   * write charges another must be able to give back.
   */
  computeUsage(object: ApiObject): Usage;
  /** Whether an object is in a scope. */
  isInScope(object: ApiObject, requirement: ScopeRequirement): boolean;
  /** A text for the client about amounts that an object omits although a quota on these names demands them; '' for none. */
  unsaid(object: ApiObject, names: readonly string[]): string;
  /** Whether an update that uses more than the quota allows is refused; else it is only recorded. */
  readonly limitsUpdates: boolean;
}

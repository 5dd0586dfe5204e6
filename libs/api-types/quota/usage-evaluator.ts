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
   * What one object uses, by the cluster's own names. It depends on the object alone, not on the time: what one
   * write charges another must be able to give back.
   */
  usageOf(object: ApiObject): Usage;
  /** Whether an object is in a scope. */
  isInScope(object: ApiObject, requirement: ScopeRequirement): boolean;
  /** What an object fails to say although a quota on these names makes it, as a text for the client; '' for nothing. */
  unsaid(object: ApiObject, names: readonly string[]): string;
  /** Whether an update that uses more than the quota allows is refused; else it is only recorded. */
  readonly limitsUpdates: boolean;
}

import { understood, words } from '@binnacle/api-names';
import type { ApiObject, Quantity } from '@binnacle/api-objects';
import { parseAmount } from '../core/resource-amounts/standard-resources.ts';
import type { ResourceQuota } from '../generated/core/v1.ts';
import { canonicalGroup } from '../group-names/canonical-group.ts';
import type { Usage } from './usage.ts';
import type { ScopeRequirement, UsageEvaluator } from './usage-evaluator.ts';

/** A ResourceQuota, read once: names are as in the quota. */
export interface QuotaState {
  readonly name: string;
  /** The names of the amounts, before and after the limit. */
  readonly names: readonly string[];
  /** The limits that hold, those of the status. */
  readonly hard: Usage;
  readonly used: Usage;
  readonly scopes: readonly ScopeRequirement[];
}

/** Reads a ResourceQuota; amounts that are no quantities are left out. */
export function quotaStateFrom(quota: ResourceQuota): QuotaState {
  const spec = quota.spec ?? {};
  const status = quota.status ?? {};
  const hard = amountsFrom(status.hard);
  return {
    name: quota.metadata.name ?? '',
    names: [...new Set([...Object.keys(spec.hard ?? {}), ...hard.keys()])],
    hard,
    used: amountsFrom(status.used),
    scopes: [
      ...(spec.scopes ?? []).map(scope => ({ scope, operator: 'Exists', values: [] })),
      ...(spec.scopeSelector?.matchExpressions ?? []).map(requirement => ({
        scope: requirement.scopeName ?? '',
        operator: requirement.operator ?? '',
        values: requirement.values ?? [],
      })),
    ],
  };
}

/** The names of a quota that objects of a type use. */
export function namesCounted({ names }: Pick<QuotaState, 'names'>, evaluator: UsageEvaluator): string[] {
  return names.filter(name => evaluator.counts(canonicalName(name)));
}

/** Whether an object is in every scope of a quota. */
export function isCovered(
  { scopes }: Pick<QuotaState, 'scopes'>,
  evaluator: UsageEvaluator,
  object: ApiObject,
): boolean {
  return scopes.every(requirement => evaluator.isInScope(object, requirement));
}

/** The usage of an object that a quota covers; empty when the object is outside of the scopes. */
export function usageCovered(
  quota: Pick<QuotaState, 'names' | 'scopes'>,
  evaluator: UsageEvaluator,
  object: ApiObject | undefined,
): Usage {
  const covered = new Map<string, Quantity>();
  if (object === undefined) return covered;
  const counted = namesCounted(quota, evaluator);
  if (counted.length === 0 || !isCovered(quota, evaluator, object)) return covered;
  const usage = evaluator.computeUsage(object);
  for (const name of counted) {
    const amount = usage.get(canonicalName(name));
    if (amount !== undefined) covered.set(name, amount);
  }
  return covered;
}

const ofClass = words.storageClassQuota;
const otherOfClass = understood.words.storageClassQuota.filter(word => word !== ofClass);

/** The own name of an amount: a count ends in a group, and groups and storage classes may have two names. */
function canonicalName(name: string): string {
  if (name.startsWith('count/')) return canonicalGroup(name);
  const other = otherOfClass.find(word => name.includes(word));
  return other === undefined ? name : name.replace(other, ofClass);
}

function amountsFrom(value: unknown): Map<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(value ?? {})) {
    const amount = parseAmount(text);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

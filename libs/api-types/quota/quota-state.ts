import { understood, words } from '@binnacle/api-names';
import type { ApiObject, Quantity } from '@binnacle/api-objects';
import { parseAmount } from '../core/resource-amounts/standard-resources.ts';
import type { ResourceQuota } from '../generated/core/v1.ts';
import { canonicalGroup } from '../group-names/canonical-group.ts';
import type { Usage } from './usage.ts';
import type { ScopeRequirement, UsageEvaluator } from './usage-evaluator.ts';

/** A parsed ResourceQuota; names are as in the quota. */
export interface QuotaState {
  readonly name: string;
  /** The names of the amounts in spec and status. */
  readonly names: readonly string[];
  /** The enforced limits, those of the status. */
  readonly hard: Usage;
  readonly used: Usage;
  readonly scopes: readonly ScopeRequirement[];
}

/** Parses a ResourceQuota; invalid quantities are left out. */
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

/** Returns the names of a quota that objects of a type use. */
export function namesCounted({ names }: Pick<QuotaState, 'names'>, evaluator: UsageEvaluator): string[] {
  return names.filter(name => evaluator.counts(canonicalName(name)));
}

/** Whether an object is in all scopes of a quota. */
export function isCovered(
  { scopes }: Pick<QuotaState, 'scopes'>,
  evaluator: UsageEvaluator,
  object: ApiObject,
): boolean {
  return scopes.every(requirement => evaluator.isInScope(object, requirement));
}

/** Returns the usage of an object that a quota counts; empty for an object outside of the scopes. */
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

/** Returns the canonical name of a resource: groups and StorageClass domains may have aliases. */
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

import { understood } from '@binnacle/api-names';
import { equalJson, labelSelectorFrom } from '@binnacle/api-objects';
import type { ClusterRole, PolicyRule } from '@binnacle/api-types/rbac/v1';

/** A cluster role with the rules that it should have. */
export interface RoleChange {
  readonly role: ClusterRole;
  readonly rules: PolicyRule[];
}

/**
 * Finds the cluster roles with an aggregationRule whose rules differ from those of the roles that they aggregate. A role that aggregates
 * another aggregated role follows once that one has been written.
 */
export function outdatedRoles(roles: readonly ClusterRole[]): RoleChange[] {
  const sorted = [...roles].sort((a, b) => (roleName(a) < roleName(b) ? -1 : 1));
  return sorted.flatMap(role => {
    const rules = aggregatedRules(role, sorted);
    return rules === undefined || equalJson(rules, role.rules ?? []) ? [] : [{ role, rules }];
  });
}

/**
 * Collects the rules of the aggregated roles, each once, in the order of selectors, then of names; undefined without an
 * aggregationRule.
 */
function aggregatedRules(role: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const rules = new Map<string, PolicyRule>();
  for (const wanted of role.aggregationRule.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFrom(wanted);
    for (const other of roles) {
      if (roleName(other) === roleName(role) || !selector.matches(labelsInEveryAlias(other))) continue;
      for (const rule of other.rules ?? []) {
        const text = JSON.stringify(rule);
        if (!rules.has(text)) rules.set(text, rule);
      }
    }
  }
  return [...rules.values()];
}

const domains = understood.labels.rbacDomain;

/** Returns the labels of a role, with its aggregation labels in each alias. */
function labelsInEveryAlias({ metadata: { labels = {} } }: ClusterRole): Readonly<Record<string, string>> {
  if (domains.length < 2) return labels;
  const written = Object.entries(labels).flatMap(([name, value]) => {
    const domain = domains.find(prefix => name.startsWith(prefix));
    return domain === undefined ? [] : domains.map(other => [other + name.slice(domain.length), value]);
  });
  return written.length === 0 ? labels : { ...Object.fromEntries(written), ...labels };
}

function roleName(role: ClusterRole): string {
  return role.metadata.name ?? '';
}

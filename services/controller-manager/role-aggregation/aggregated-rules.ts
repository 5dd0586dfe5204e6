import { understood } from '@binnacle/api-names';
import { equalJson, labelSelectorFrom } from '@binnacle/api-objects';
import type { ClusterRole, PolicyRule } from '@binnacle/api-types/rbac/v1';

/** A cluster role with the rules that it should have. */
export interface RoleChange {
  readonly role: ClusterRole;
  readonly rules: PolicyRule[];
}

/**
 * The cluster roles with an aggregationRule whose rules are not those of the roles that they gather, as things are now; a
 * role that gathers another aggregated one follows once that has been written.
 */
export function outdatedRoles(roles: readonly ClusterRole[]): RoleChange[] {
  const sorted = [...roles].sort((a, b) => (roleName(a) < roleName(b) ? -1 : 1));
  return sorted.flatMap(role => {
    const rules = aggregatedRules(role, sorted);
    return rules === undefined || equalJson(rules, role.rules ?? []) ? [] : [{ role, rules }];
  });
}

/** In the order of the selectors, then of the names; each rule once. Undefined for a role without an aggregationRule. */
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

/** The labels of a role. One that says by which roles it is gathered says so in each alias. */
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

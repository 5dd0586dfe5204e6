import {
  type ApiObject,
  equalJson,
  isJsonObject,
  type JsonValue,
  labelSelectorFrom,
} from '@binnacle/api-objects';

/** A cluster role with the rules that it should have. */
export interface RoleChange {
  readonly role: ApiObject;
  readonly rules: JsonValue[];
}

/**
 * The cluster roles with an aggregationRule whose rules are not those of the roles that they gather, as things are now; a
 * role that gathers another aggregated one follows once that has been written.
 */
export function outdatedRoles(roles: readonly ApiObject[]): RoleChange[] {
  const sorted = [...roles].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return sorted.flatMap(role => {
    const rules = aggregatedRules(role, sorted);
    return rules === undefined || equalJson(rules, rulesOf(role)) ? [] : [{ role, rules }];
  });
}

/** In the order of the selectors, then of the names; each rule once. Undefined for a role without an aggregationRule. */
function aggregatedRules(role: ApiObject, roles: readonly ApiObject[]): JsonValue[] | undefined {
  const aggregation = role['aggregationRule'];
  if (!isJsonObject(aggregation)) return undefined;
  const rules = new Map<string, JsonValue>();
  for (const wanted of listOf(aggregation['clusterRoleSelectors'])) {
    const selector = labelSelectorFrom(wanted);
    for (const other of roles) {
      if (nameOf(other) === nameOf(role) || !selector.matches(labelsOf(other))) continue;
      for (const rule of rulesOf(other)) {
        const text = JSON.stringify(rule);
        if (!rules.has(text)) rules.set(text, rule);
      }
    }
  }
  return [...rules.values()];
}

function rulesOf(role: ApiObject): JsonValue[] {
  return listOf(role['rules']);
}

const ownDomain = 'rbac.authorization.cluster.io/';
const aliasDomain = 'rbac.authorization.k8s.io/';

/** The labels of a role. One that asks by the alias of the group to be gathered is gathered by the group's own name too. */
function labelsOf({ metadata: { labels = {} } }: ApiObject): Readonly<Record<string, string>> {
  const aliases = Object.entries(labels).filter(([name]) => name.startsWith(aliasDomain));
  if (aliases.length === 0) return labels;
  const own = aliases.map(([name, value]) => [ownDomain + name.slice(aliasDomain.length), value]);
  return { ...Object.fromEntries(own), ...labels };
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(role: ApiObject): string {
  return role.metadata.name ?? '';
}

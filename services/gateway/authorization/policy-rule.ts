import type { Access, PolicyRule } from './authorizer.ts';

/** One rule in the fields of the API. */
interface RuleFields {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly resourceNames?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

/** Reads the rules of a Role or ClusterRole; a rule that is none allows nothing. */
export function policyRulesFrom(
  rules: readonly RuleFields[] | null = [],
  canonicalGroup: (group: string) => string,
): PolicyRule[] {
  return (rules ?? []).map(rule => ({
    verbs: new Set(rule.verbs),
    apiGroups: new Set(rule.apiGroups?.map(canonicalGroup)),
    resources: new Set(rule.resources),
    resourceNames: new Set(rule.resourceNames),
    nonResourceURLs: rule.nonResourceURLs ?? [],
  }));
}

/** Whether a rule allows an access. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!hasOrAll(rule.verbs, access.verb)) return false;
  if (access.kind === 'path') return rule.nonResourceURLs.some(pattern => pathMatches(pattern, access.path));
  return (
    hasOrAll(rule.apiGroups, access.group) &&
    resourceMatches(rule.resources, access.resource, access.subresource) &&
    (rule.resourceNames.size === 0 || rule.resourceNames.has(access.name))
  );
}

/** Whether a set holds a value or the wildcard. */
export function hasOrAll(values: ReadonlySet<string>, value: string): boolean {
  return values.has(value) || values.has('*');
}

/** Whether a rule's resources hold one: `*` stands for all with their subresources, `*` before a slash for every resource. */
export function resourceMatches(
  resources: ReadonlySet<string>,
  resource: string,
  subresource: string,
): boolean {
  if (resources.has('*')) return true;
  if (subresource === '') return resources.has(resource);
  return resources.has(`${resource}/${subresource}`) || resources.has(`*/${subresource}`);
}

/** Whether a pattern of paths, which may end in `*`, holds a path or all that another pattern holds. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === '*') end--;
  return end < pattern.length && path.startsWith(pattern.slice(0, end));
}

import type { PolicyRule } from '../authorizer.ts';
import { hasOrAll, pathMatches, resourceMatches } from '../policy-rule.ts';

/** Most single rights that wanted rules are broken into; what goes beyond is covered by one held rule or not at all. */
const maxRights = 20_000;
/** Most comparisons of a held rule with a wanted one; what is not decided by then counts as not covered. */
const maxComparisons = 300_000;
const nothing: ReadonlySet<string> = new Set();

/**
 * The wanted rights that held rules do not cover, as rules of one verb on one thing each; empty when they cover all.
 *
 * A wanted rule is covered by one held rule or, broken into its single rights, by several together. Wildcards stand
 * for what they stand for in authorization: `*`, `*` before a subresource, and `*` at the end of a path. A rule for
 * single names never covers one for all names.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const holding = distinct(held);
  const uncovered: PolicyRule[] = [];
  let broken = 0;
  let comparisons = 0;
  const isCovered = (rule: PolicyRule): boolean => {
    for (const other of holding) {
      if (++comparisons > maxComparisons) return false;
      if (covers(other, rule)) return true;
    }
    return false;
  };
  for (const rule of distinct(wanted)) {
    if (isCovered(rule)) continue;
    broken += countRights(rule);
    if (broken > maxRights) {
      uncovered.push(rule);
      continue;
    }
    for (const right of rightsFromRule(rule)) {
      if (!isCovered(right)) uncovered.push(right);
    }
  }
  return uncovered;
}

/** Rules without those that are equal to an earlier one. */
function distinct(rules: readonly PolicyRule[]): PolicyRule[] {
  const known = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const parts = [[...verbs], [...apiGroups], [...resources], [...resourceNames], nonResourceURLs];
    const text = JSON.stringify(parts);
    if (!known.has(text)) known.set(text, rule);
  }
  return [...known.values()];
}

/** Whether one rule alone allows all that another one does. */
function covers(held: PolicyRule, wanted: PolicyRule): boolean {
  return (
    hasAll(held.verbs, wanted.verbs) &&
    hasAll(held.apiGroups, wanted.apiGroups) &&
    everyValue(wanted.resources, resource => coversResource(held.resources, resource)) &&
    coversNames(held.resourceNames, wanted.resourceNames) &&
    wanted.nonResourceURLs.every(path => held.nonResourceURLs.some(pattern => pathMatches(pattern, path)))
  );
}

function hasAll(held: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return everyValue(wanted, value => hasOrAll(held, value));
}

function everyValue(values: ReadonlySet<string>, holds: (value: string) => boolean): boolean {
  for (const value of values) if (!holds(value)) return false;
  return true;
}

function coversResource(held: ReadonlySet<string>, wanted: string): boolean {
  const slash = wanted.indexOf('/');
  if (slash < 0) return resourceMatches(held, wanted, '');
  return resourceMatches(held, wanted.slice(0, slash), wanted.slice(slash + 1));
}

function coversNames(held: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  if (held.size === 0) return true;
  return wanted.size > 0 && everyValue(wanted, name => held.has(name));
}

function countRights({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const onResources = apiGroups.size * resources.size * Math.max(resourceNames.size, 1);
  return verbs.size * (onResources + nonResourceURLs.length);
}

function* rightsFromRule(rule: PolicyRule): Generator<PolicyRule> {
  const names = [...rule.resourceNames].map(name => new Set([name]));
  for (const verb of rule.verbs) {
    const verbs = new Set([verb]);
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        const right = {
          verbs,
          apiGroups: new Set([group]),
          resources: new Set([resource]),
          nonResourceURLs: [],
        };
        for (const resourceNames of names.length > 0 ? names : [nothing]) yield { ...right, resourceNames };
      }
    }
    for (const path of rule.nonResourceURLs) {
      yield {
        verbs,
        apiGroups: nothing,
        resources: nothing,
        resourceNames: nothing,
        nonResourceURLs: [path],
      };
    }
  }
}

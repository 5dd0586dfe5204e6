const mostLines = 50;
const longestLine = 500;

/**
 * Rules as text for messages, one a line and sorted; verbs on the same thing share a line. Long lines and long lists
 * are cut, which the text says.
 */
import type { PolicyRule } from '../authorizer.ts';
export function describeRules(rules: readonly PolicyRule[]): string {
  const lines = [...new Set(joinVerbs(rules).map(describeRule))].sort();
  const shown = lines.slice(0, mostLines);
  return lines.length > mostLines
    ? [...shown, `and ${lines.length - mostLines} more`].join('\n')
    : shown.join('\n');
}

function joinVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const byThing = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const thing = JSON.stringify([[...apiGroups], [...resources], [...resourceNames], nonResourceURLs]);
    const verbs = new Set([...(byThing.get(thing)?.verbs ?? []), ...rule.verbs]);
    byThing.set(thing, { ...rule, verbs });
  }
  return [...byThing.values()];
}

function describeRule(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const text = parts
    .map(([field, values]) => ({ field, values: [...values] }))
    .filter(({ values }) => values.length > 0)
    .map(({ field, values }) => `${field}:${quoted(values)}`)
    .join(', ');
  return text.length > longestLine ? `{${text.slice(0, longestLine)}…}` : `{${text}}`;
}

/** A list of texts as the messages of kube-apiserver show one. */
export function quoted(values: readonly string[]): string {
  return `[${values.map(value => JSON.stringify(value)).join(' ')}]`;
}

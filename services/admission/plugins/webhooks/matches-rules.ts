import type { Review } from '../../chain/review.ts';
import type { WebhookRule } from './webhook.ts';

/** What rules are matched against. */
type MatchedRequest = Pick<Review, 'operation' | 'definition' | 'subresource'>;

/** Whether a request matches any of the rules (spec 2, "Rule fields"). */
export function matchesRules(rules: readonly WebhookRule[], request: MatchedRequest): boolean {
  return rules.some(rule => matchesRule(rule, request));
}

function matchesRule(rule: WebhookRule, { operation, definition, subresource }: MatchedRequest): boolean {
  const { group, version, resource, namespaced } = definition;
  return (
    holds(rule.operations, operation) &&
    holds(rule.apiGroups, group) &&
    holds(rule.apiVersions, version) &&
    // A subresource has the scope of its resource.
    (rule.scope === '*' || (rule.scope === 'Namespaced') === namespaced) &&
    rule.resources.some(pattern => matchesResource(pattern, resource, subresource))
  );
}

function holds(values: ReadonlySet<string>, value: string): boolean {
  return values.has('*') || values.has(value);
}

/** `pods`, `pods/status`, `pods/*`, `*` (no subresources), `* /status`, `* /*` (without the space: everything). */
function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [resourcePattern, subresourcePattern] =
    slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (
    (resourcePattern === '*' || resourcePattern === resource) &&
    (subresourcePattern === '*' || subresourcePattern === subresource)
  );
}

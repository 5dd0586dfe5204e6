import type { Review } from '../../chain/review.ts';
import type { WebhookRule } from './webhook.ts';

/** The parts of a review that rules are matched against. */
type MatchedRequest = Pick<Review, 'operation' | 'definition' | 'subresource'>;

/** The type and operation of a request. */
export type MatchedType = Pick<Review, 'operation' | 'definition'>;

/** Whether a request matches any of the rules (spec 2, "Rule fields"). */
export function matchesRules(rules: readonly WebhookRule[], request: MatchedRequest): boolean {
  const { resource } = request.definition;
  return rules.some(
    rule =>
      isAboutType(rule, request) &&
      rule.resources.some(pattern => matchesResource(pattern, resource, request.subresource)),
  );
}

/** Whether requests of an operation on a type, or on a subresource of it, can match any of the rules. */
export function matchesType(rules: readonly WebhookRule[], type: MatchedType): boolean {
  const { resource } = type.definition;
  return rules.some(
    rule =>
      isAboutType(rule, type) &&
      rule.resources.some(pattern => {
        const [ofResource] = pattern.split('/', 1);
        return ofResource === '*' || ofResource === resource;
      }),
  );
}

function isAboutType(rule: WebhookRule, { operation, definition }: MatchedType): boolean {
  const { group, version, namespaced } = definition;
  return (
    holds(rule.operations, operation) &&
    holds(rule.apiGroups, group) &&
    holds(rule.apiVersions, version) &&
    // A subresource has the scope of its resource.
    (rule.scope === '*' || (rule.scope === 'Namespaced') === namespaced)
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

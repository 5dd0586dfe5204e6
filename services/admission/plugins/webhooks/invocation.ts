import { groups } from '@binnacle/api-names';
import type { ResourceDefinition } from '@binnacle/api-types';
import { isOfOwnKind, type Review } from '../../chain/review.ts';
import type { NamespaceSource } from '../../sources/namespaces.ts';
import type { EquivalentResources } from './equivalent-resources.ts';
import { matchesRules } from './matches-rules.ts';
import type { Webhook } from './webhook.ts';

/** One webhook that is to be called for a review. */
export interface Invocation {
  readonly webhook: Webhook;
  /** The version and group in which the webhook sees the resource: those that its rules name. */
  readonly definition: ResourceDefinition;
}

/** Options of the look-up of invocations. */
export interface InvocationOptions {
  readonly equivalents: EquivalentResources;
  readonly namespaces: NamespaceSource;
}

/**
 * Creates the invocation of a webhook for a review in its current state; undefined when its rules do not match. Selectors are
 * checked later.
 */
export function invocationFor(
  webhook: Webhook,
  review: Review,
  { equivalents }: Pick<InvocationOptions, 'equivalents'>,
): Invocation | undefined {
  const definition = matchedDefinition(webhook, review, equivalents);
  return definition && { webhook, definition };
}

/** Whether the review is about a webhook configuration: webhooks are not called for these, so that a broken one can be removed. */
export function isWebhookConfiguration({ definition: { group, resource } }: Review): boolean {
  return (
    group === groups.admissionregistration &&
    (resource === 'validatingwebhookconfigurations' || resource === 'mutatingwebhookconfigurations')
  );
}

/**
 * Finds the version and group of the reviewed resource that rules match; undefined when none do. The resource of the request takes
 * precedence over its equivalents.
 */
export function matchedDefinition(
  { rules, matchesEquivalents }: Pick<Webhook, 'rules' | 'matchesEquivalents'>,
  review: Review,
  equivalents: EquivalentResources,
): ResourceDefinition | undefined {
  const { operation, definition, subresource } = review;
  if (matchesRules(rules, review)) return definition;
  if (!matchesEquivalents) return undefined;
  return equivalents(definition).find(
    other => hasSameBody(review, other) && matchesRules(rules, { operation, subresource, definition: other }),
  );
}

/** Whether an equivalent has the subresource of the review, with the same kind of body. */
function hasSameBody(review: Review, other: ResourceDefinition): boolean {
  const { subresource, kind } = review;
  if (subresource === '') return true;
  const theirs = other.subresources.get(subresource);
  if (theirs === undefined) return false;
  const { group = other.group, version = other.version } = theirs;
  return isOfOwnKind(review)
    ? theirs.kind === other.kind && group === other.group
    : theirs.kind === kind.kind && group === kind.group && version === kind.version;
}

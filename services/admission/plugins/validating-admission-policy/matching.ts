import type { LabelSelector } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type {
  MatchResources,
  NamedRuleWithOperations,
} from '@binnacle/api-types/admissionregistration/v1alpha1';
import { type Review, reviewedName } from '../../chain/review.ts';
import { matchedDefinition } from '../webhooks/invocation.ts';
import { matchesSelectors } from '../webhooks/matches-selectors.ts';
import { ruleFrom, selectorFrom, type WebhookRule } from '../webhooks/webhook.ts';
import type { MatchingOptions } from '../webhooks/webhook-plugin-options.ts';

/** A rule of a policy, which may be about objects of certain names only. */
interface NamedRule extends WebhookRule {
  /** Names of objects; empty: any. */
  readonly names: ReadonlySet<string>;
}

/** The objects that a policy, or a binding of it, applies to. */
export interface Matching {
  /** Rules of which one must match; empty: everything matches. */
  readonly rules: readonly NamedRule[];
  readonly exclusions: readonly NamedRule[];
  /** Whether a rule also applies to other versions and groups of the resources that it names. */
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** Reads a MatchResources; unset fields have their defaults. */
export function matchingFrom(resources: MatchResources): Matching {
  const { resourceRules = [], excludeResourceRules = [] } = resources;
  return {
    rules: resourceRules.map(namedRuleFrom),
    exclusions: excludeResourceRules.map(namedRuleFrom),
    matchesEquivalents: resources.matchPolicy !== 'Exact',
    namespaceSelector: selectorFrom(resources.namespaceSelector),
    objectSelector: selectorFrom(resources.objectSelector),
  };
}

/** Finds the version and group of the resource that match a review; undefined when none do. Exclusions take precedence. */
export async function definitionMatched(
  matching: Matching,
  review: Review,
  { equivalents, namespaces }: Pick<MatchingOptions, 'equivalents' | 'namespaces'>,
): Promise<ResourceDefinition | undefined> {
  const { rules, exclusions, matchesEquivalents } = matching;
  const matchedBy = (some: readonly NamedRule[]) =>
    matchedDefinition({ rules: some.filter(isAboutName(review)), matchesEquivalents }, review, equivalents);
  const matched = rules.length === 0 ? review.definition : matchedBy(rules);
  if (matched === undefined || matchedBy(exclusions) !== undefined) return undefined;
  return (await matchesSelectors(matching, review, namespaces)) ? matched : undefined;
}

function isAboutName(review: Review): (rule: NamedRule) => boolean {
  const name = reviewedName(review);
  return ({ names }) => names.size === 0 || names.has(name);
}

function namedRuleFrom(rule: NamedRuleWithOperations): NamedRule {
  return { ...ruleFrom(rule), names: new Set(rule.resourceNames) };
}

import type { CachedObject, TypeCache } from '@binnacle/watch-cache';
import { type Candidates, createCandidates } from '../webhooks/candidates.ts';
import type { EquivalentResources } from '../webhooks/equivalent-resources.ts';
import { type Binding, bindingFrom, type Policy, policyFrom } from './policy.ts';

/** A policy with its bindings. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/** Returns the bound policies that can match a write, by name, each with its bindings, by name. */
export type PolicySource = Candidates<BoundPolicy>;

const policySlot = Symbol('policy');
const bindingSlot = Symbol('policy binding');

/** Creates a source on the caches of policies and bindings; each object is read once for each of its versions. */
export function createPolicySource(
  policies: TypeCache,
  bindings: TypeCache,
  equivalents: EquivalentResources,
): PolicySource {
  return createCandidates({
    caches: [policies, bindings],
    read: () => boundPolicies(policies, bindings),
    rulesOf: ({ policy: { matching } }) => ({
      rules: matching.rules.length === 0 ? undefined : matching.rules,
      matchesEquivalents: matching.matchesEquivalents,
    }),
    equivalents,
  });
}

function boundPolicies(policies: TypeCache, bindings: TypeCache): readonly BoundPolicy[] {
  const byPolicy = Map.groupBy(
    inOrder(bindings.list({}).objects).map(object =>
      object.derived(bindingSlot, cached => bindingFrom(cached.parse())),
    ),
    ({ policyName }) => policyName,
  );
  return inOrder(policies.list({}).objects).flatMap(object => {
    const its = byPolicy.get(object.name);
    if (its === undefined) return [];
    const policy = object.derived(policySlot, cached => policyFrom(cached.parse()));
    return [{ policy, bindings: its }];
  });
}

function inOrder(objects: readonly CachedObject[]): readonly CachedObject[] {
  return objects.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

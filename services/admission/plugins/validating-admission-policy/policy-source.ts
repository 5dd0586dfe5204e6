import type { CachedObject, TypeCache } from '@binnacle/watch-cache';
import { type Binding, bindingFrom, type Policy, policyFrom } from './policy.ts';

/** A policy with what puts it into effect. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/** Gives the policies that are bound, ordered by name, each with its bindings, ordered by name. */
export type PolicySource = () => readonly BoundPolicy[];

const policySlot = Symbol('policy');
const bindingSlot = Symbol('policy binding');

/** Creates a source on the caches of policies and bindings; each object is read once for each of its versions. */
export function createPolicySource(policies: TypeCache, bindings: TypeCache): PolicySource {
  let bound: readonly BoundPolicy[] = [];
  let readAt: readonly [number, number] = [-1, -1];
  return () => {
    if (policies.revision === readAt[0] && bindings.revision === readAt[1]) return bound;
    const [all, binding] = [policies.list({}), bindings.list({})];
    const byPolicy = Map.groupBy(
      inOrder(binding.objects).map(object =>
        object.derived(bindingSlot, cached => bindingFrom(cached.parse())),
      ),
      ({ policyName }) => policyName,
    );
    bound = inOrder(all.objects).flatMap(object => {
      const its = byPolicy.get(object.name);
      if (its === undefined) return [];
      const policy = object.derived(policySlot, cached => policyFrom(cached.parse()));
      return [{ policy, bindings: its }];
    });
    readAt = [all.revision, binding.revision];
    return bound;
  };
}

function inOrder(objects: readonly CachedObject[]): readonly CachedObject[] {
  return objects.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

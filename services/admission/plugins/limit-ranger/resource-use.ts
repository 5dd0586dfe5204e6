import { addQuantities, compareQuantities, type Quantity } from '@binnacle/api-objects';
import type { PodSpec, ResourceRequirements } from '@binnacle/api-types/core/v1';
import { type Amounts, amountsFrom } from './limit-items.ts';

/** The requested amounts and the limits of a pod or container. */
export interface ResourceUse {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The content of the `resources` of a container or a volume claim. */
export function resourceUseOf(owner: { readonly resources?: ResourceRequirements } | undefined): ResourceUse {
  const resources = owner?.resources;
  return { requests: amountsFrom(resources?.requests), limits: amountsFrom(resources?.limits) };
}

/** The amounts of a pod: its containers together, or more where a container that runs before them needs more by itself. */
export function podUseOf(spec: PodSpec): ResourceUse {
  const running = (spec.containers ?? []).map(resourceUseOf);
  const before = (spec.initContainers ?? []).map(resourceUseOf);
  return {
    requests: together(running.map(pickRequests), before.map(pickRequests)),
    limits: together(running.map(pickLimits), before.map(pickLimits)),
  };
}

const pickRequests = ({ requests }: ResourceUse): Amounts => requests;
const pickLimits = ({ limits }: ResourceUse): Amounts => limits;

function together(running: readonly Amounts[], before: readonly Amounts[]): Amounts {
  const result = new Map<string, Quantity>();
  const merge = (amounts: Amounts, combine: (known: Quantity, amount: Quantity) => Quantity) => {
    for (const [name, amount] of amounts) {
      const known = result.get(name);
      result.set(name, known === undefined ? amount : combine(known, amount));
    }
  };
  for (const amounts of running) merge(amounts, addQuantities);
  for (const amounts of before) merge(amounts, (a, b) => (compareQuantities(a, b) < 0 ? b : a));
  return result;
}

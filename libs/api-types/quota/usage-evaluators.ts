import { groups } from '@binnacle/api-names';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { persistentVolumeClaimUsage } from './claim-usage.ts';
import { objectCountEvaluator } from './object-count.ts';
import { podUsage } from './pod-usage.ts';
import { serviceUsage } from './service-usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

/** The core types whose objects use more than their number. */
const special: ReadonlyMap<string, UsageEvaluator> = new Map([
  ['persistentvolumeclaims', persistentVolumeClaimUsage],
  ['pods', podUsage],
  ['services', serviceUsage],
]);

/** The fields of a definition that say how its objects are counted. */
type CountableType = Pick<ResourceDefinition, 'group' | 'resource' | 'namespaced' | 'stored' | 'storage'>;

const counting = new WeakMap<CountableType, UsageEvaluator>();

/** How objects of a type use quotas; undefined for types that no quota counts: events, and what is not in namespaces or not stored. */
export function usageEvaluatorOf(definition: CountableType): UsageEvaluator | undefined {
  const { group, resource, namespaced, stored } = definition.storage ?? definition;
  if (!namespaced || !stored || isEvents(group, resource)) return undefined;
  const known = group === '' ? special.get(resource) : undefined;
  if (known !== undefined) return known;
  const counter = counting.get(definition) ?? objectCountEvaluator(definition);
  counting.set(definition, counter);
  return counter;
}

function isEvents(group: string, resource: string): boolean {
  return resource === 'events' && (group === '' || group === groups.events);
}

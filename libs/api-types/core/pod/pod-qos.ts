import { compareQuantities, tryParseQuantity } from '@binnacle/api-objects';
import type { PodSpec, ResourceRequirements } from '../../generated/core/v1.ts';

const computeResources = ['cpu', 'memory'];

/**
 * Returns the QoS class of a pod, by which nodes choose pods to evict. BestEffort: no container has requests or limits of CPU or
 * memory; Guaranteed: every container has limits of both and equal requests; otherwise Burstable.
 */
export function qosClassFromSpec(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const amounts = containers.map(container => container.resources ?? {});
  const named = amounts.flatMap(resources =>
    computeResources.filter(name => isSet(resources, 'limits', name) || isSet(resources, 'requests', name)),
  );
  if (named.length === 0) return 'BestEffort';
  return amounts.every(isFullyReserved) ? 'Guaranteed' : 'Burstable';
}

function isFullyReserved(resources: ResourceRequirements): boolean {
  return computeResources.every(name => {
    if (!isSet(resources, 'limits', name)) return false;
    const limit = amount(resources, 'limits', name);
    const request = amount(resources, 'requests', name) ?? limit;
    return limit !== undefined && request !== undefined && compareQuantities(limit, request) === 0;
  });
}

function isSet(resources: ResourceRequirements, list: 'limits' | 'requests', name: string): boolean {
  const quantity = amount(resources, list, name);
  return quantity !== undefined && quantity.nanos > 0n;
}

function amount(resources: ResourceRequirements, list: 'limits' | 'requests', name: string) {
  return tryParseQuantity(resources[list]?.[name] ?? '');
}

import { understood } from '@binnacle/api-names';
import { equalJson, validateQualifiedName } from '@binnacle/api-objects';
import type { PodSpec, Toleration } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { listContainers } from '../pods/containers.ts';
import { podToChange } from '../pods/pod-review.ts';

/** ExtendedResourceToleration, off by default: lets pods run on nodes that are reserved for a resource that they request. */
export const extendedResourceToleration: PluginRegistration = {
  name: 'ExtendedResourceToleration',
  byDefault: false,
  concerns: ['/pods'],
  create: () => ({
    name: 'ExtendedResourceToleration',
    mutate(review) {
      const reviewed = podToChange(review);
      return reviewed && tolerateResources(reviewed.spec) ? 'changed' : 'unchanged';
    },
  }),
};

/** Adds a toleration named after each extended resource that a container requests; returns whether anything changed. */
export function tolerateResources(spec: PodSpec): boolean {
  const names = listContainers(spec).flatMap(container => Object.keys(container.resources?.requests ?? {}));
  const added = [...new Set(names.filter(isExtendedResource))]
    .sort()
    .map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
  const before = spec.tolerations ?? [];
  const kept = before.map(toleration => added.find(one => isSameTaint(one, toleration)) ?? toleration);
  const after = [...kept, ...added.filter(one => !before.some(toleration => isSameTaint(one, toleration)))];
  if (equalJson(before, after)) return false;
  spec.tolerations = after;
  return true;
}

const ownDomains = understood.domains.labels.map(domain => `.${domain}/`);

/** Whether a resource is neither the cluster's own nor the name of a quota. */
function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || ownDomains.some(domain => `.${name}`.includes(domain))) return false;
  return !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0;
}

/** Whether two tolerations are equal apart from their seconds. */
function isSameTaint(one: Toleration, other: Toleration): boolean {
  return (['key', 'operator', 'effect', 'value'] as const).every(
    field => (one[field] ?? '') === (other[field] ?? ''),
  );
}

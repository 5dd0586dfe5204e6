import { groups } from '@binnacle/api-names';
import { quantityFromInteger } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import type { Service, ServiceSpec } from '../generated/core/v1.ts';
import { persistentVolumeClaimUsage } from './claim-usage.ts';
import { podUsage } from './pod-usage.ts';
import { nothing, onePiece, type Usage } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

/** The properties of a definition that determine how its objects are counted. */
type CountableType = Pick<ResourceDefinition, 'group' | 'resource' | 'namespaced' | 'stored' | 'storage'>;

const counting = new WeakMap<CountableType, UsageEvaluator>();

/** Finds the usage evaluator of a type; undefined for types without quotas: events, cluster-scoped and unstored resources. */
export function findUsageEvaluator(definition: CountableType): UsageEvaluator | undefined {
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

/** Core types that can also be counted by their plain name. */
const bareNames = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

/** The properties of a definition that name its type. */
type NamedType = Pick<ResourceDefinition, 'group' | 'resource' | 'storage'>;

/** Returns the object count name of a type: `count/deployments.apps`, `count/pods`. */
function countName(definition: NamedType): string {
  const { group, resource } = definition.storage ?? definition;
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Creates the evaluator of a type that only counts objects; it has no scopes. */
export function objectCountEvaluator(definition: NamedType): UsageEvaluator {
  const { group, resource } = definition.storage ?? definition;
  const names = [countName(definition)];
  if (group === '' && bareNames.has(resource)) names.push(resource);
  const usage = new Map(names.map(name => [name, onePiece]));
  return {
    counts: name => usage.has(name),
    computeUsage: () => usage,
    isInScope: () => false,
    unsaid: () => '',
    limitsUpdates: false,
  };
}

const serviceNames = new Set(['count/services', 'services', 'services.loadbalancers', 'services.nodeports']);

/** Quota usage of Services: their number, node ports and load balancers. */
const serviceUsage: UsageEvaluator = {
  counts: name => serviceNames.has(name),
  computeUsage: computeServiceUsage,
  isInScope: () => false,
  unsaid: () => '',
  limitsUpdates: true,
};

function computeServiceUsage(service: Service): Usage {
  const spec = service.spec ?? {};
  return new Map([
    ['count/services', onePiece],
    ['services', onePiece],
    ['services.loadbalancers', spec.type === 'LoadBalancer' ? onePiece : nothing],
    ['services.nodeports', quantityFromInteger(countNodePorts(spec))],
  ]);
}

/** Every port gets a node port, allocated or not, unless a load balancer disables them. */
function countNodePorts(spec: ServiceSpec): number {
  const ports = spec.ports ?? [];
  if (spec.type === 'NodePort') return ports.length;
  if (spec.type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(port => (port.nodePort ?? 0) !== 0).length;
}

/** Core types with usage besides their number. */
const special: ReadonlyMap<string, UsageEvaluator> = new Map([
  ['persistentvolumeclaims', persistentVolumeClaimUsage],
  ['pods', podUsage],
  ['services', serviceUsage],
]);

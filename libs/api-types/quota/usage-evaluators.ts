import { groups } from '@binnacle/api-names';
import { quantityFromInteger } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import type { Service, ServiceSpec } from '../generated/core/v1.ts';
import { persistentVolumeClaimUsage } from './claim-usage.ts';
import { podUsage } from './pod-usage.ts';
import { nothing, onePiece, type Usage } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

/** The fields of a definition that say how its objects are counted. */
type CountableType = Pick<ResourceDefinition, 'group' | 'resource' | 'namespaced' | 'stored' | 'storage'>;

const counting = new WeakMap<CountableType, UsageEvaluator>();

/** How objects of a type use quotas; undefined for types that no quota counts: events, and what is not in namespaces or not stored. */
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

/** The core types that can be counted by their bare name too. */
const bareNames = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

/** The fields of a definition that name its type. */
type NamedType = Pick<ResourceDefinition, 'group' | 'resource' | 'storage'>;

/** The name under which the objects of a type are counted: `count/deployments.apps`, `count/pods`. */
function countName(definition: NamedType): string {
  const { group, resource } = definition.storage ?? definition;
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** The evaluator of types whose objects are counted and nothing else; no scope has them. */
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

/** How Services use quotas: their number, their node ports, and whether they are load balancers. */
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

/** Every port will have a node port, given yet or not, unless a load balancer does without. */
function countNodePorts(spec: ServiceSpec): number {
  const ports = spec.ports ?? [];
  if (spec.type === 'NodePort') return ports.length;
  if (spec.type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(port => (port.nodePort ?? 0) !== 0).length;
}

/** The core types whose objects use more than their number. */
const special: ReadonlyMap<string, UsageEvaluator> = new Map([
  ['persistentvolumeclaims', persistentVolumeClaimUsage],
  ['pods', podUsage],
  ['services', serviceUsage],
]);

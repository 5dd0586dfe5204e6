import { type ApiObject, quantityFromInteger } from '@binnacle/api-objects';
import { asNumber, asObject, asObjects } from '../values/json-access.ts';
import { nothing, onePiece, type Usage } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

const names = new Set(['count/services', 'services', 'services.loadbalancers', 'services.nodeports']);

/** How Services use quotas: their number, their node ports, and whether they are load balancers. */
export const serviceUsage: UsageEvaluator = {
  counts: name => names.has(name),
  usageOf,
  isInScope: () => false,
  unsaid: () => '',
  limitsUpdates: true,
};

function usageOf(service: ApiObject): Usage {
  const spec = asObject(service['spec']) ?? {};
  return new Map([
    ['count/services', onePiece],
    ['services', onePiece],
    ['services.loadbalancers', spec['type'] === 'LoadBalancer' ? onePiece : nothing],
    ['services.nodeports', quantityFromInteger(nodePortsOf(spec))],
  ]);
}

/** Every port will have a node port, given yet or not, unless a load balancer does without. */
function nodePortsOf(spec: NonNullable<ReturnType<typeof asObject>>): number {
  const ports = asObjects(spec['ports']);
  if (spec['type'] === 'NodePort') return ports.length;
  if (spec['type'] !== 'LoadBalancer') return 0;
  if (spec['allocateLoadBalancerNodePorts'] !== false) return ports.length;
  return ports.filter(port => asNumber(port['nodePort']) !== 0).length;
}

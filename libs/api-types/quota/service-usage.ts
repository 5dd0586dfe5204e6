import { quantityFromInteger } from '@binnacle/api-objects';
import type { Service, ServiceSpec } from '../generated/core/v1.ts';
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

function usageOf(service: Service): Usage {
  const spec = service.spec ?? {};
  return new Map([
    ['count/services', onePiece],
    ['services', onePiece],
    ['services.loadbalancers', spec.type === 'LoadBalancer' ? onePiece : nothing],
    ['services.nodeports', quantityFromInteger(nodePortsOf(spec))],
  ]);
}

/** Every port will have a node port, given yet or not, unless a load balancer does without. */
function nodePortsOf(spec: ServiceSpec): number {
  const ports = spec.ports ?? [];
  if (spec.type === 'NodePort') return ports.length;
  if (spec.type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(port => (port.nodePort ?? 0) !== 0).length;
}

import type { Service, ServiceSpec } from '../../generated/core/v1.ts';
import { needsClusterIP, portsOf } from './service-facts.ts';

const defaultAffinitySeconds = 10_800;

/** The defaults of a service that depend on other fields; the plain ones stand in the definition. */
export function applyServiceDefaults({ spec = {} }: Service): void {
  applyAffinityDefaults(spec);
  for (const port of portsOf(spec)) {
    if (!port.targetPort && port.port !== undefined) port.targetPort = port.port;
  }
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') spec.externalTrafficPolicy ||= 'Cluster';
  if (needsClusterIP(spec)) spec.internalTrafficPolicy ||= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function applyAffinityDefaults(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  spec.sessionAffinityConfig ??= {};
  spec.sessionAffinityConfig.clientIP ??= {};
  spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= defaultAffinitySeconds;
}

import type { ServicePort, ServiceSpec } from '../../generated/core/v1.ts';

/** Whether services of this spec have an address in the cluster, `None` counting as one. */
export function needsClusterIP(spec: ServiceSpec): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '');
}

/** Whether node ports may be set at all. */
export function mayHaveNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** Whether the spec has a port at which nodes answer health checks of the load balancer. */
export function needsHealthCheckNodePort(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** Whether the service has no address of its own. */
export function isHeadless(spec: ServiceSpec): boolean {
  const addresses = spec.clusterIPs ?? [];
  return addresses[0] === 'None' || (addresses.length === 0 && spec.clusterIP === 'None');
}

/** The ports of a spec. */
export function readPorts(spec: ServiceSpec): ServicePort[] {
  return spec.ports ?? [];
}

/** The node ports that are set, health-check port included, with the protocol in upper case. */
export function collectNodePorts(spec: ServiceSpec): { readonly protocol: string; readonly port: number }[] {
  const ports = readPorts(spec).map((port): { protocol: string; port: number } => ({
    protocol: port.protocol || 'TCP',
    port: port.nodePort ?? 0,
  }));
  ports.push({ protocol: 'TCP', port: spec.healthCheckNodePort ?? 0 });
  return ports.filter(({ port }) => port !== 0);
}

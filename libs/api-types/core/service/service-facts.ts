import type { ServicePort, ServiceSpec } from '../../generated/core/v1.ts';

/** Whether services of this type have a cluster IP, which may be `None`. */
export function needsClusterIP(spec: ServiceSpec): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '');
}

/** Whether services of this type may have node ports. */
export function mayHaveNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** Whether the service needs a node port for health checks of the load balancer. */
export function needsHealthCheckNodePort(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** Whether the service is headless. */
export function isHeadless(spec: ServiceSpec): boolean {
  const addresses = spec.clusterIPs ?? [];
  return addresses[0] === 'None' || (addresses.length === 0 && spec.clusterIP === 'None');
}

/** The ports of a spec. */
export function readPorts(spec: ServiceSpec): ServicePort[] {
  return spec.ports ?? [];
}

/** Returns the node ports of a service, including the health check port, with their protocols in upper case. */
export function collectNodePorts(spec: ServiceSpec): { readonly protocol: string; readonly port: number }[] {
  const ports = readPorts(spec).map((port): { protocol: string; port: number } => ({
    protocol: port.protocol || 'TCP',
    port: port.nodePort ?? 0,
  }));
  ports.push({ protocol: 'TCP', port: spec.healthCheckNodePort ?? 0 });
  return ports.filter(({ port }) => port !== 0);
}

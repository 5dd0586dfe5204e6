import { findFreePort } from '@binnacle/backends';
import { plainGateway, type ServiceInstance, serviceInstances } from './topology.ts';

/** The ports of 127.0.0.1 on which one distributed form listens. */
export interface PortPlan {
  readonly etcd: number;
  readonly kafka: number;
  readonly redis: number;
  /** Of the load balancer: the port after the gateways'. */
  readonly balancer: number;
  /** By the name of the instance: the gRPC port, or a gateway's HTTPS port. */
  readonly services: ReadonlyMap<string, number>;
  /** By the name of the instance: metrics and health. */
  readonly operations: ReadonlyMap<string, number>;
}

/** Chooses free ports; the gateways get the given port and the next, the load balancer the one after them. */
export async function planPorts(gatewayPort: number): Promise<PortPlan> {
  const taken = new Set<number>();
  const next = async (): Promise<number> => {
    for (;;) {
      const port = await findFreePort();
      if (taken.has(port) || isGatewayPort(port, gatewayPort)) continue;
      taken.add(port);
      return port;
    }
  };
  const services = new Map<string, number>();
  const operations = new Map<string, number>();
  for (const instance of [...serviceInstances, plainGateway]) {
    services.set(instance.name, gatewayPortOf(instance, gatewayPort) ?? (await next()));
    operations.set(instance.name, await next());
  }
  const balancer = gatewayPort + gatewayCount;
  return { etcd: await next(), kafka: await next(), redis: await next(), balancer, services, operations };
}

const gatewayCount = serviceInstances.filter(({ service }) => service === 'gateway').length;

function gatewayPortOf(instance: ServiceInstance, gatewayPort: number): number | undefined {
  if (instance.service !== 'gateway') return undefined;
  // The one without TLS comes after the load balancer.
  return gatewayPort + instance.number - (instance === plainGateway ? 0 : 1);
}

function isGatewayPort(port: number, gatewayPort: number): boolean {
  return port >= gatewayPort && port < gatewayPort + 10;
}

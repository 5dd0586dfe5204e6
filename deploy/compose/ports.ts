import { findFreePort } from '@binnacle/backends';
import {
  type FormInstances,
  mostGateways,
  planInstances,
  type ServiceInstance,
} from './service-instances.ts';

/** The ports of one member of a backend's cluster. */
export interface MemberPorts {
  /** For clients. */
  readonly client: number;
  /** On which it listens for the other members. */
  readonly peer: number;
  /** At which the other members reach it: `peer`, or the port of a link before it. */
  readonly advertised: number;
}

/** The ports of 127.0.0.1 on which one distributed form listens. */
export interface PortPlan {
  /** The processes that the ports are for. */
  readonly instances: FormInstances;
  /** The ports of each member. */
  readonly etcd: readonly MemberPorts[];
  /** The ports of each broker. */
  readonly kafka: readonly MemberPorts[];
  readonly redis: number;
  /** The port of the load balancer: the one after the gateways'. */
  readonly balancer: number;
  /** By the name of the instance: the gRPC port, or a gateway's HTTPS port. */
  readonly services: ReadonlyMap<string, number>;
  /** By the name of the instance: metrics and health. */
  readonly operations: ReadonlyMap<string, number>;
}

/** The number of members of the backends, and their known ports. */
export interface BackendPlan {
  readonly members: 1 | 3;
  /** Ports at which the members of etcd know each other from an earlier start. */
  readonly etcdPeers?: readonly number[];
  /** Whether there is a link before each member of etcd. */
  readonly hasLinks?: boolean;
}

/** Chooses free ports; the gateways get the given port and the next, the load balancer the one after them. */
export async function planPorts(
  gatewayPort: number,
  { members, etcdPeers = [], hasLinks = false }: BackendPlan = { members: 1 },
  instances: FormInstances = planInstances(),
): Promise<PortPlan> {
  const gateways = instances.all.filter(({ service }) => service === 'gateway').length;
  const taken = new Set<number>(etcdPeers);
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
  for (const instance of [...instances.all, instances.plainGateway]) {
    services.set(instance.name, findGatewayPort(instance, gatewayPort) ?? (await next()));
    operations.set(instance.name, await next());
  }
  const etcd: MemberPorts[] = [];
  const kafka: MemberPorts[] = [];
  for (let index = 0; index < members; index++) {
    const advertised = etcdPeers[index] ?? (await next());
    etcd.push({ client: await next(), peer: hasLinks ? await next() : advertised, advertised });
    const peer = await next();
    kafka.push({ client: await next(), peer, advertised: peer });
  }
  const balancer = gatewayPort + gateways;
  return { instances, etcd, kafka, redis: await next(), balancer, services, operations };
}

function findGatewayPort(instance: ServiceInstance, gatewayPort: number): number | undefined {
  if (instance.service !== 'gateway') return undefined;
  // The one without TLS comes after the load balancer.
  return gatewayPort + instance.number - (instance.isPlain ? 0 : 1);
}

function isGatewayPort(port: number, gatewayPort: number): boolean {
  return port >= gatewayPort && port < gatewayPort + mostGateways + 2;
}

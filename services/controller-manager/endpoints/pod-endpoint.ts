import { isIP } from 'node:net';
import { copyJson, readJson } from '@binnacle/api-objects';
import type {
  Container,
  ContainerPort,
  EndpointPort,
  ObjectReference,
  Pod,
  PodSpec,
  PodStatus,
  Service,
  ServicePort,
} from '@binnacle/api-types/core/v1';

/** The address families of endpoints. */
export type AddressFamily = 'IPv4' | 'IPv6';

/** A pod as an endpoint of a service. */
export interface PodEndpoint {
  readonly address: string;
  readonly hostname: string;
  readonly nodeName: string;
  readonly targetRef: ObjectReference;
  /** Whether the pod is ready, or the service publishes addresses that are not. */
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly ports: readonly EndpointPort[];
}

/**
 * Creates the endpoint of a service from a pod that it selects; undefined for a pod that has ended, has no address of the family, or
 * has none of the ports. Spec 3, "Service" and "Endpoints".
 */
export function createPodEndpoint(
  service: Service,
  pod: Pod,
  family: AddressFamily,
): PodEndpoint | undefined {
  const { spec = {}, status = {} } = pod;
  const address = findAddress(status, family);
  if (address === undefined || status.phase === 'Succeeded' || status.phase === 'Failed') return undefined;
  const servicePorts = service.spec?.ports ?? [];
  const ports = servicePorts.flatMap(port => createEndpointPort(port, spec));
  // Endpoints of a headless service without ports have addresses alone.
  if (ports.length === 0 && servicePorts.length > 0) return undefined;
  const { name = '', namespace = '', uid = '', deletionTimestamp } = pod.metadata;
  const serving = isReady(status);
  const terminating = deletionTimestamp !== undefined;
  return {
    address,
    hostname: spec.subdomain === service.metadata.name ? (spec.hostname ?? '') : '',
    nodeName: spec.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
    ready: publishesNotReady(service) || (serving && !terminating),
    serving,
    terminating,
    ports,
  };
}

/** Copies the parts of a pod that endpoints depend on, to save memory. */
export function trimPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = pod.metadata;
  const { spec = {}, status = {} } = pod;
  const namedPorts = ({ ports = [] }: Container): ContainerPort[] =>
    ports.filter(({ name = '' }) => name !== '');
  const trimmed = {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: { name, namespace, uid, resourceVersion, labels, deletionTimestamp },
    spec: {
      nodeName: spec.nodeName,
      hostname: spec.hostname,
      subdomain: spec.subdomain,
      containers: spec.containers?.map(container => ({ ports: namedPorts(container) })) ?? [],
    },
    status: {
      phase: status.phase,
      podIP: status.podIP,
      podIPs: status.podIPs,
      conditions: isReady(status) ? [{ type: 'Ready', status: 'True' }] : [],
    },
  };
  return copyJson(readJson(JSON.stringify(trimmed), false)) as Pod; // Has the shape of a pod, without what is absent.
}

/** Whether all endpoints of a service count as ready. */
function publishesNotReady(service: Service): boolean {
  return service.spec?.publishNotReadyAddresses === true;
}

function isReady({ conditions = [] }: PodStatus): boolean {
  return conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
}

function findAddress({ podIP = '', podIPs = [] }: PodStatus, family: AddressFamily): string | undefined {
  const addresses = podIPs.length > 0 ? podIPs.map(({ ip = '' }) => ip) : [podIP];
  return addresses.find(address => isIP(address) === (family === 'IPv4' ? 4 : 6));
}

function createEndpointPort(servicePort: ServicePort, podSpec: PodSpec): EndpointPort[] {
  const { name = '', protocol = 'TCP', appProtocol, targetPort, port } = servicePort;
  const number =
    typeof targetPort === 'string' ? namedPort(podSpec, targetPort, protocol) : targetPort || port;
  if (number === undefined) return [];
  return [
    {
      ...(name !== '' && { name }),
      port: number,
      protocol,
      ...(appProtocol !== undefined && { appProtocol }),
    },
  ];
}

function namedPort({ containers }: PodSpec, name: string, protocol: string): number | undefined {
  const ports = (containers ?? []).flatMap(container => container.ports ?? []);
  const found = ports.find(port => port.name === name && (port.protocol ?? 'TCP') === protocol);
  return found && (found.containerPort ?? 0);
}

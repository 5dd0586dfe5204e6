import { isIP } from 'node:net';
import { type ApiObject, copyJson, type JsonObject } from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText } from '@binnacle/api-types';

/** The families of addresses that endpoints have. */
export type AddressFamily = 'IPv4' | 'IPv6';

/** One port of an endpoint, as in Endpoints and EndpointSlice. */
export type EndpointPort = JsonObject;

/** A pod as one of the endpoints of a service. */
export interface PodEndpoint {
  readonly address: string;
  readonly hostname: string;
  readonly nodeName: string;
  readonly targetRef: JsonObject;
  /** Whether the pod answers, or is to be treated as if it did. */
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly ports: readonly EndpointPort[];
}

/**
 * A pod as an endpoint of a service that selects it; undefined for a pod that has ended, has no address of the family, or has
 * none of the ports. Spec 3, "Service" and "Endpoints".
 */
export function podEndpointOf(
  service: ApiObject,
  pod: ApiObject,
  family: AddressFamily,
): PodEndpoint | undefined {
  const spec = asObject(pod['spec']) ?? {};
  const status = asObject(pod['status']) ?? {};
  const address = addressOf(status, family);
  if (address === undefined || status['phase'] === 'Succeeded' || status['phase'] === 'Failed')
    return undefined;
  const servicePorts = asObjects(asObject(service['spec'])?.['ports']);
  const ports = servicePorts.flatMap(port => endpointPortOf(port, spec));
  // A headless service without ports has endpoints that are addresses alone.
  if (ports.length === 0 && servicePorts.length > 0) return undefined;
  const { name = '', namespace = '', uid = '', deletionTimestamp } = pod.metadata;
  const serving = isReady(status);
  const terminating = deletionTimestamp !== undefined;
  return {
    address,
    hostname: spec['subdomain'] === service.metadata.name ? asText(spec['hostname']) : '',
    nodeName: asText(spec['nodeName']),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ready: publishesNotReady(service) || (serving && !terminating),
    serving,
    terminating,
    ports,
  };
}

/** What of a pod matters to endpoints; the rest need not be kept. */
export function trimPod(pod: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = pod.metadata;
  const spec = asObject(pod['spec']) ?? {};
  const status = asObject(pod['status']) ?? {};
  const ports = (container: JsonObject): JsonObject[] =>
    asObjects(container['ports']).filter(port => asText(port['name']) !== '');
  const trimmed = {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: { name, namespace, uid, resourceVersion, labels, deletionTimestamp },
    spec: {
      nodeName: spec['nodeName'],
      hostname: spec['hostname'],
      subdomain: spec['subdomain'],
      containers: asObjects(spec['containers']).map(container => ({ ports: ports(container) })),
    },
    status: {
      phase: status['phase'],
      podIP: status['podIP'],
      podIPs: status['podIPs'],
      conditions: isReady(status) ? [{ type: 'Ready', status: 'True' }] : [],
    },
  };
  return copyJson(JSON.parse(JSON.stringify(trimmed))) as ApiObject; // Has the shape of a pod, without what is absent.
}

/** Whether endpoints of a service count as ready whatever their pods say. */
export function publishesNotReady(service: ApiObject): boolean {
  return asObject(service['spec'])?.['publishNotReadyAddresses'] === true;
}

function isReady(status: JsonObject): boolean {
  return asObjects(status['conditions']).some(({ type, status: is }) => type === 'Ready' && is === 'True');
}

function addressOf(status: JsonObject, family: AddressFamily): string | undefined {
  const listed = asObjects(status['podIPs']).map(({ ip }) => asText(ip));
  const addresses = listed.length > 0 ? listed : [asText(status['podIP'])];
  return addresses.find(address => isIP(address) === (family === 'IPv4' ? 4 : 6));
}

function endpointPortOf(servicePort: JsonObject, podSpec: JsonObject): EndpointPort[] {
  const { name, protocol = 'TCP', appProtocol, targetPort, port } = servicePort;
  const number =
    typeof targetPort === 'string' ? namedPort(podSpec, targetPort, protocol) : targetPort || port;
  if (number === undefined) return [];
  return [
    {
      ...(asText(name) !== '' && { name: asText(name) }),
      port: number,
      protocol,
      ...(typeof appProtocol === 'string' && { appProtocol }),
    },
  ];
}

function namedPort(podSpec: JsonObject, name: string, protocol: unknown): number | undefined {
  const ports = asObjects(podSpec['containers']).flatMap(container => asObjects(container['ports']));
  const found = ports.find(port => port['name'] === name && (port['protocol'] ?? 'TCP') === protocol);
  return found && asNumber(found['containerPort']);
}

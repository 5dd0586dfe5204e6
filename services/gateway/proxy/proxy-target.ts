import type { Node, Pod, Service } from '@binnacle/api-types/core/v1';
import { badRequest, serviceUnavailable } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import { type NamedObjectServices, readNamed } from '../subresources/read-named.ts';
import { serviceAddresses } from './service-addresses.ts';

/** The target of a proxied request. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https';
  /** The address that the cluster's objects give, not checked by the filter yet. */
  readonly address: string;
  readonly port: number;
}

/**
 * Finds the target of a request for a resource's `proxy`. Throws NotFound without an object, ServiceUnavailable
 * without an address.
 */
export type FindTarget = (request: ApiRequest, services: NamedObjectServices) => Promise<ProxyTarget>;

const defaultNodePort = 10250;

/** The target of requests for a service: one of its ready addresses. */
export async function findService(request: ApiRequest, services: NamedObjectServices): Promise<ProxyTarget> {
  const { scheme = 'http', name, port } = parseProxiedName(request.info.name, 'service');
  const service = await readNamed(request, services, { resource: 'services', name });
  const portName = findPortName(service, port);
  const found = await serviceAddresses(request, services, { service: name, portName });
  const chosen = found[Math.floor(Math.random() * found.length)];
  if (chosen === undefined)
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return { scheme, ...chosen };
}

/** The name of the service's port with a number; a text that is no number is the name itself. */
function findPortName({ metadata, spec }: Service, text: string): string {
  const number = portNumber(text);
  if (number === undefined) return text;
  const port = spec?.ports?.find(each => each.port === number);
  if (port === undefined)
    throw serviceUnavailable(`no service port ${number} found for service ${JSON.stringify(metadata.name)}`);
  return port.name ?? '';
}

/** The target of requests for a pod. */
export async function findPod(request: ApiRequest, services: NamedObjectServices): Promise<ProxyTarget> {
  const proxied = parseProxiedName(request.info.name, 'pod');
  const { scheme = 'http', name } = proxied;
  const pod: Pod = await readNamed(request, services, { resource: 'pods', name });
  const address = pod.status?.podIP ?? '';
  if (address === '') throw serviceUnavailable(`pod ${JSON.stringify(name)} has no address`);
  const port = proxied.port === '' ? firstPort(pod) : namedPort(proxied);
  return { scheme, address, port };
}

/** The first port that a container declares; 80 when none does. */
function firstPort({ spec }: Pod): number {
  for (const { ports } of spec?.containers ?? []) {
    const port = ports?.[0]?.containerPort;
    if (port !== undefined) return port;
  }
  return 80;
}

/** The target of requests for a node: its agent, or another port of it. */
export async function findNode(request: ApiRequest, services: NamedObjectServices): Promise<ProxyTarget> {
  const proxied = parseProxiedName(request.info.name, 'node');
  const { name } = proxied;
  const { status = {} }: Node = await readNamed(request, services, { resource: 'nodes', name });
  const address = status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
  if (address === '') throw serviceUnavailable(`node ${JSON.stringify(name)} has no internal address`);
  const statedPort = status.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  const agentPort = statedPort > 0 ? statedPort : defaultNodePort;
  const port = proxied.port === '' ? agentPort : namedPort(proxied);
  // The agent of a node speaks TLS only; other ports are called with the scheme that the client names.
  return { scheme: proxied.scheme ?? (port === agentPort ? 'https' : 'http'), address, port };
}

function namedPort({ name, port }: ProxiedName): number {
  const number = portNumber(port);
  if (number === undefined)
    throw serviceUnavailable(`${JSON.stringify(port)} is not a port number of ${JSON.stringify(name)}`);
  return number;
}

/** The parts of the name in the path of a proxied request: `name`, `name:port` or `scheme:name:port`. */
interface ProxiedName {
  /** Undefined when the name has none. */
  readonly scheme: 'http' | 'https' | undefined;
  readonly name: string;
  /** A number or the name of a port; "" when the name has none. */
  readonly port: string;
}

/** Reads the name in the path of a proxied request; throws BadRequest for any other form. */
export function parseProxiedName(text: string, what: string): ProxiedName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 3 ? parts : ['', parts[0] ?? '', parts[1] ?? ''];
  const isKnown = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || name === '' || !isKnown || (parts.length === 2 && port === ''))
    throw badRequest(`invalid ${what} request ${JSON.stringify(text.slice(0, 300))}`);
  return { scheme: scheme === '' ? undefined : scheme, name, port };
}

/** A port by its number; undefined for a text that is none. */
function portNumber(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

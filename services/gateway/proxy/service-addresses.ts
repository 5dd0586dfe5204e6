import { groups, understood } from '@binnacle/api-names';
import { everyField, labelSelectorFrom } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import type { EndpointPort, Endpoints } from '@binnacle/api-types/core/v1';
import type { EndpointSlice } from '@binnacle/api-types/discovery/v1';
import { findStorageKey } from '@binnacle/storage-contract';
import { collectionPrefix } from '../read/collection-prefix.ts';
import { listFromStorage } from '../read/storage-pages.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { NamedObjectServices } from '../subresources/read-named.ts';
import { serverConverted } from '../versions/kept-forms.ts';
import { objectFromStored } from '../versions/version-form.ts';

/** An address with a port. */
interface ServiceAddress {
  readonly address: string;
  readonly port: number;
}

/** A port of a service. */
interface ServicePortQuery {
  readonly service: string;
  /** "" for the port without a name. */
  readonly portName: string;
}

/** The ready addresses of a service's port, from its Endpoints, or from its endpoint slices where it has no Endpoints. */
export async function serviceAddresses(
  request: ApiRequest,
  services: NamedObjectServices,
  query: ServicePortQuery,
): Promise<readonly ServiceAddress[]> {
  const fromEndpoints = await readEndpoints(request, services, query);
  if (fromEndpoints.length > 0) return fromEndpoints;
  return await readSlices(request, services, query);
}

async function readEndpoints(
  { info, call }: ApiRequest,
  { registry, storage }: NamedObjectServices,
  { service, portName }: ServicePortQuery,
): Promise<ServiceAddress[]> {
  const definition = registry.resource('', 'v1', 'endpoints');
  if (definition === undefined) return [];
  const key = findStorageKey(objectKey(definition, info.namespace, service));
  const record = key && (await storage.get(key, call)).record;
  if (record === undefined) return [];
  const endpoints = objectFromStored(serverConverted(definition), record.value, record.revision);
  return addressesOfEndpoints(endpoints, portName);
}

async function readSlices(
  { info, call }: ApiRequest,
  { registry, storage }: NamedObjectServices,
  { service, portName }: ServicePortQuery,
): Promise<ServiceAddress[]> {
  const definition = registry.resource(groups.discovery, 'v1', 'endpointslices');
  if (definition === undefined) return [];
  const converted = serverConverted(definition);
  const found: ServiceAddress[] = [];
  for (const label of understood.labels.serviceName) {
    const selection = {
      labelSelector: labelSelectorFrom({ matchLabels: { [label]: service } }),
      fieldSelector: everyField,
    };
    const prefix = collectionPrefix(definition, info.namespace);
    const part = { startAfter: undefined, limit: 0, atRevision: undefined };
    const { items } = await listFromStorage({ definition, prefix, ...selection, ...part }, storage, call);
    for (const { stored, revision } of items)
      found.push(...addressesOfSlice(objectFromStored(converted, stored, revision), portName));
  }
  return found;
}

/** The ready addresses of Endpoints for a port of that name. */
export function addressesOfEndpoints({ subsets = [] }: Endpoints, portName: string): ServiceAddress[] {
  return subsets.flatMap(({ ports = [], addresses = [] }) => {
    const port = portNamed(ports, portName);
    return port === undefined ? [] : addresses.map(({ ip = '' }) => ({ address: ip, port }));
  });
}

/** The ready addresses of an endpoint slice for a port of that name; names of machines are left out. */
export function addressesOfSlice(slice: EndpointSlice, portName: string): ServiceAddress[] {
  const port = portNamed(slice.ports ?? [], portName);
  if (port === undefined || slice.addressType === 'FQDN') return [];
  return (slice.endpoints ?? []).flatMap(({ conditions, addresses }) =>
    conditions?.ready === false ? [] : (addresses ?? []).map(address => ({ address, port })),
  );
}

function portNamed(ports: readonly EndpointPort[], wanted: string): number | undefined {
  return ports.find(({ name = '' }) => name === wanted)?.port;
}
